// A game in the page: shows what happens, asks for moves, and sends them when confirmed.
"use strict";

const find = selector => document.querySelector(selector);
const sleep = milliseconds => new Promise(done => setTimeout(done, milliseconds));
const still = matchMedia("(prefers-reduced-motion: reduce)");

const PAUSE = 650; // milliseconds that a bot's move is shown
const LONGEST_DRAG = 300; // millimetres of the school, for a flick at full strength
const WINDS = ["east", "north-east", "north", "north-west", "west", "south-west", "south", "south-east"];

let state = null; // the last snapshot
let game = "", at = 0; // the game and the move in the picture
let passing = false, skipping = false; // whether moves are being shown, one by one
let sending = false; // until what was sent has been answered
let hinting = false; // until the adviser has answered
let asked = ""; // tag of the snapshot whose question is shown
let chosen = []; // ids of the steps of a move, so far
let action = null; // what would be played
let aim = null; // a flick or a place, in ICECOOL

async function fetched(path, how) {
  const response = await fetch(path, how);
  const data = await response.json();
  if (!response.ok) throw new Error(data.error);
  return data;
}

const get = path => fetched(path);

function post(path, content) {
  const body = JSON.stringify({tag: state.tag, ...content});
  return fetched(path, {method: "POST", headers: {"Content-Type": "application/json"}, body});
}

function make(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

// What happens: wait for news, and show every move that is new.

async function follow() {
  for (let tag = "";;) {
    try {
      await seen(); // pages in the background would keep others from being served
      state = await get(`/state?unlike=${encodeURIComponent(tag)}`);
      tag = state.tag;
      sending = false;
      if (find("#problem").dataset.lost) complain("");
      await catchUp();
    } catch (error) {
      tag = "";
      complain(`${error.message}. Is "tabletop play" still running?`);
      find("#problem").dataset.lost = "yes";
      await sleep(1000);
    }
  }
}

function seen() {
  return document.hidden && new Promise(done => document.addEventListener("visibilitychange", done, {once: true}));
}

async function catchUp() {
  if (passing) return; // what is new will be shown after what is being shown
  if (state.game !== game) {
    forget();
    game = state.game;
    at = state.moves.length - 1;
    document.title = `${state.title}: ${state.names.join(" \u00b7 ")}`;
    find("#help").replaceChildren(find("#help summary"), ...state.help.map(words => make("p", {textContent: words})));
    find("#help").hidden = !state.help.length;
    draw((await film(at)).at(-1)[0]);
  }
  passing = at < state.moves.length - 1;
  refresh();
  try {
    while (state.game === game && at < state.moves.length - 1) {
      at = skipping ? state.moves.length - 1 : at + 1;
      tell();
      busy(true);
      const frames = await film(at);
      busy(false);
      await show(frames, at < state.moves.length - 1);
    }
  } finally {
    passing = skipping = false;
  }
  if (state.game !== game) return catchUp();
  refresh();
}

const film = move => get(`/film?game=${game}&move=${move}`);
async function show(frames, more) {
  if (skipping || still.matches) frames = frames.slice(-1);
  for (const [svg, seconds] of frames.slice(0, -1)) {
    if (skipping) break;
    draw(svg);
    await sleep(1000 * seconds);
  }
  draw(frames.at(-1)[0]);
  if (more && !skipping) await sleep(PAUSE);
}

function draw(svg) {
  find("#board").innerHTML = svg;
}

function forget() {
  chosen = [];
  action = aim = null;
  asked = "";
  complain("");
}

function complain(words) {
  find("#problem").textContent = words;
  delete find("#problem").dataset.lost;
}

function busy(is) {
  find("#status").classList.toggle("thinking", is);
}

function tell() {
  const {seat, words} = state.moves[at];
  find("#status").textContent = seat === null ? words : `${state.names[seat]}: ${words}`;
}

// The desk: what the person can do now.

const mayAsk = () => state.asked !== null && !passing && !sending;
const isAsked = () => mayAsk() && asked === state.tag;

function refresh() {
  const {thinking, ending} = state;
  const status = find("#status");
  busy(thinking !== null && !passing);
  if (passing) tell();
  else if (ending) status.textContent = `${ending}.`;
  else if (thinking !== null) status.textContent = `${state.names[thinking]} is thinking\u2026`;
  if (!mayAsk()) {
    if (!sending) asked = "";
    find("#question").replaceChildren();
    find("#board").classList.remove("aiming");
    find("#aim")?.remove();
  } else if (asked !== state.tag) {
    forget();
    asked = state.tag;
    status.textContent = PROMPTS[state.asked.kind];
    if (state.asked.kind !== "choose") begin();
    ask();
  } else ask();
  focusFirst();
  find("#skip").hidden = !passing;
  find("#again").hidden = passing || state.moves.length < 2;
  find("#undo").hidden = find("#hint").hidden = find("#play").hidden = !isAsked();
  find("#hint").textContent = `Hint by ${state.adviser}`;
  find("#resign").hidden = ending !== null;
  find("#resign").disabled = !isAsked();
  find("#log").hidden = ending === null;
  find("#new").classList.toggle("strong", ending !== null);
  list();
}

const PROMPTS = {
  choose: "Your move: choose what is lit, then confirm it.",
  place: "Place your penguin: click in the Kitchen, or use the sliders.",
  flick: "Your flick: draw an arrow on the plan, the longer the stronger, or use the sliders.",
};

function list() {
  const items = state.moves.slice(1, at + 1).map(({seat, words}) =>
    make("li", {textContent: `${state.names[seat]}: ${words}`}));
  find("#moves").replaceChildren(...items);
}

function focusFirst() {
  if (!isAsked()) return;
  const active = document.activeElement;
  const idle = active === document.body || find("#question").contains(active) || active.hidden || !active.isConnected;
  if (idle) find("#question button, #question input")?.focus({preventScroll: true});
}

function ask() {
  const {kind} = state.asked;
  find("#board").classList.toggle("aiming", kind !== "choose");
  if (kind === "choose") askToChoose();
  else askToAim();
  find("#play").textContent = {choose: "Play it", place: "Place it", flick: "Flick"}[kind];
  find("#play").disabled = action === null;
  find("#undo").disabled = chosen.length === 0 && !aim?.touched;
}

// Moves that are chosen step by step, in the picture or from the list.

const stepsOf = move => move.steps.length ? move.steps : [[`move-${move.action}`, move.words]];

function choices(level) {
  const found = new Map();
  for (const move of state.asked.moves) {
    const steps = stepsOf(move);
    const fits = steps.length > level && chosen.slice(0, level).every((id, i) => steps[i][0] === id);
    if (fits) found.set(...steps[level]);
  }
  return found;
}

function askToChoose() {
  const complete = state.asked.moves.find(move => {
    const steps = stepsOf(move);
    return steps.length === chosen.length && steps.every(([id], i) => chosen[i] === id);
  });
  action = complete ? complete.action : null;
  for (const element of document.querySelectorAll("#board .open")) element.classList.remove("open", "lit", "chosen", "pointed");
  const sets = [], deepest = complete ? chosen.length - 1 : chosen.length;
  for (let level = 0; level <= chosen.length; level++) {
    const here = choices(level);
    if (here.size) sets.push(fieldset(level, here, level === deepest));
  }
  find("#question").replaceChildren(...sets);
}

// In the order of the picture.
function sorted(here) {
  const marks = [...document.querySelectorAll("#board [id]")].map(({id}) => id);
  return [...here].sort(([one], [other]) => marks.indexOf(one) - marks.indexOf(other));
}

function fieldset(level, here, lit) {
  const buttons = sorted(here).map(([id, words]) => {
    const mark = document.getElementById(id);
    const is = chosen[level] === id;
    mark?.classList.add("open", is ? "chosen" : lit ? "lit" : "open");
    const button = make("button", {textContent: words, onclick: () => choose(level, id, true)});
    button.dataset.id = id;
    button.setAttribute("aria-pressed", is);
    for (const [name, on] of [["focus", true], ["mouseenter", true], ["blur", false], ["mouseleave", false]])
      button.addEventListener(name, () => document.getElementById(id)?.classList.toggle("pointed", on));
    return button;
  });
  const legend = level ? "Then" : "You can play";
  return make("fieldset", {}, make("legend", {textContent: legend}), ...buttons);
}

function choose(level, id, byList = false) {
  if (chosen[level] === id && chosen.length === level + 1 && action !== null) return play();
  chosen = [...chosen.slice(0, level), id];
  ask();
  if (!byList) return;
  const next = find("#question").children[level + 1];
  (next?.querySelector("button") ?? find("#play")).focus();
}

function unselect() {
  if (!isAsked()) return;
  chosen = [];
  if (aim) begin();
  complain("");
  find("#status").textContent = PROMPTS[state.asked.kind];
  ask();
  find("#question button, #question input")?.focus({preventScroll: true});
}

// ICECOOL: a flick or a place, by dragging or by sliders. Numbers are those of an action.

function begin() {
  const {kind} = state.asked;
  aim = kind === "place" ? {x: 0, y: 0, touched: true} : {dx: 1, dy: 0, strength: -0.2, side: 0, height: 0, start: state.asked.starts[0].value, touched: false};
  action = null;
}

const start = () => state.asked.starts.find(({value}) => value === aim.start);

const percent = value => `${Math.round(100 * value)} %`;

const SLIDERS = {
  place: [
    ["West to east", -100, 100, () => 100 * aim.x, v => { aim.x = v / 100; }, () => percent((aim.x + 1) / 2)],
    ["South to north", -100, 100, () => 100 * aim.y, v => { aim.y = v / 100; }, () => percent((aim.y + 1) / 2)],
  ],
  flick: [
    ["Direction", 0, 359, () => degrees(), v => { aim.dx = Math.cos(v * Math.PI / 180); aim.dy = Math.sin(v * Math.PI / 180); }, () => `${Math.round(degrees())}\u00b0, ${WINDS[Math.round(degrees() / 45) % 8]}`],
    ["Strength", 0, 100, () => 50 * (aim.strength + 1), v => { aim.strength = v / 50 - 1; }, () => percent((aim.strength + 1) / 2)],
    ["Side of the hit", -100, 100, () => 100 * aim.side, v => { aim.side = v / 100; }, () => aim.side ? `${percent(Math.abs(aim.side))} ${aim.side > 0 ? "right" : "left"}: turns ${aim.side > 0 ? "right" : "left"}` : "middle: straight"],
    ["Height of the hit", 0, 100, () => 100 * Math.max(aim.height, 0), v => { aim.height = v / 100; }, () => aim.height > 0 ? `jumps, ${percent(aim.height)}` : "low: stays flat"],
  ],
};

const degrees = () => (Math.atan2(aim.dy, aim.dx) * 180 / Math.PI + 360) % 360;

function askToAim() {
  const {kind} = state.asked;
  if (!find("#question label")) find("#question").replaceChildren(...starts(), ...SLIDERS[kind].map(slider));
  SLIDERS[kind].forEach(([, , , read, , say], i) => {
    const label = document.querySelectorAll("#question label.slide")[i];
    label.querySelector("input").value = read();
    label.querySelector("input").setAttribute("aria-valuetext", say());
    label.querySelector("output").textContent = say();
  });
  for (const input of document.querySelectorAll("#question [name=start]")) input.checked = Number(input.value) === aim.start;
  action = kind === "place" ? [aim.x, aim.y, 0, 0, 0, 0] : aim.touched ? [aim.dx, aim.dy, aim.strength, aim.side, aim.height, aim.start] : null;
  drawAim();
}

function slider([words, min, max, , write]) {
  const input = make("input", {type: "range", min, max, oninput: () => { write(Number(input.value)); aim.touched = true; ask(); }});
  return make("label", {className: "slide"}, words, make("output"), input);
}

function starts() {
  if (!(state.asked.starts?.length > 1)) return [];
  const picks = state.asked.starts.map(({value, words}) => {
    const input = make("input", {type: "radio", name: "start", value, onchange: () => { aim.start = value; aim.touched = true; ask(); }});
    return make("label", {className: "pick"}, input, words);
  });
  return [make("fieldset", {}, make("legend", {textContent: "Flick it"}), ...picks)];
}

const plan = () => Object.fromEntries(Object.entries(find("#school").dataset).map(([name, text]) => [name, Number(text)]));

function mark(name, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

function drawAim() {
  find("#aim")?.remove();
  const {scale, x, y} = plan();
  const group = mark("g", {id: "aim"});
  const spot = at => ({cx: x + scale * at.x, cy: y - scale * at.y});
  if (state.asked.kind === "place") {
    const [left, bottom, right, top] = state.asked.rect;
    group.append(mark("circle", {class: "spot", r: 15 * scale, ...spot({x: left + (aim.x + 1) / 2 * (right - left), y: bottom + (aim.y + 1) / 2 * (top - bottom)})}));
  } else {
    const from = spot(start()), angle = Math.atan2(-aim.dy, aim.dx);
    const length = Math.max(24, (aim.strength + 1) / 2 * LONGEST_DRAG * scale), tip = length + 11;
    const turn = `translate(${from.cx} ${from.cy}) rotate(${angle * 180 / Math.PI})`;
    group.append(mark("circle", {class: "spot", r: 15 * scale + 5, ...from}));
    if (aim.touched) group.append(mark("path", {class: "way", transform: turn, d: `M${15 * scale + 5} 0H${length}`}), mark("path", {class: "tip", transform: turn, d: `M${tip} 0l-15 -8v16z`}));
  }
  find("#board svg").append(group);
}

function point(event) {
  const svg = find("#board svg"), {scale, x, y} = plan();
  const here = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  return {x: (here.x - x) / scale, y: (y - here.y) / scale};
}

function drag(event) {
  const to = point(event);
  if (state.asked.kind === "place") {
    const [left, bottom, right, top] = state.asked.rect, inside = v => Math.max(-1, Math.min(1, v));
    aim.x = inside(2 * (to.x - left) / (right - left) - 1);
    aim.y = inside(2 * (to.y - bottom) / (top - bottom) - 1);
  } else {
    const from = start(), length = Math.hypot(to.x - from.x, to.y - from.y);
    if (length < 8) return;
    aim.dx = (to.x - from.x) / length;
    aim.dy = (to.y - from.y) / length;
    aim.strength = Math.min(1, 2 * length / LONGEST_DRAG - 1);
  }
  aim.touched = true;
  ask();
}

// What the person does.

async function tryTo(deed) {
  if (sending) return;
  sending = true;
  find("#play").disabled = true;
  complain("");
  try {
    await deed();
  } catch (error) {
    sending = false;
    refresh();
    if (isAsked()) find("#status").textContent = PROMPTS[state.asked.kind];
    complain(error.message);
  }
}

function play() {
  if (!isAsked() || action === null) return;
  tryTo(() => post("/move", {action}));
}

// The person may play without waiting for it.
async function hint() {
  if (!isAsked() || hinting) return;
  const {tag} = state;
  hinting = true;
  find("#hint").disabled = true;
  find("#status").textContent = `${state.adviser} is thinking\u2026`;
  busy(true);
  complain("");
  try {
    const found = await post("/hint", {});
    if (state.tag !== tag || sending) return;
    busy(false);
    take(found.action);
    find("#status").textContent = `${state.adviser} would play: ${found.words}`;
    find("#play").focus({preventScroll: true});
  } catch (error) {
    if (state.tag !== tag) return;
    busy(false);
    find("#status").textContent = PROMPTS[state.asked.kind];
    complain(error.message);
  } finally {
    hinting = false;
    find("#hint").disabled = false;
  }
}

function take(advised) {
  const {kind, moves} = state.asked;
  if (kind === "choose") {
    const same = move => JSON.stringify(move.action) === JSON.stringify(advised) || (advised.length && Math.sign(move.action[0]) === (advised[0] > 0 ? 1 : -1));
    chosen = stepsOf(moves.find(same)).map(([id]) => id);
  } else if (kind === "place") [aim.x, aim.y] = advised;
  else {
    [aim.dx, aim.dy, aim.strength, aim.side, aim.height] = advised;
    aim.start = advised[5] <= 0 ? 0 : advised[5] > 0.5 ? 1 : 0.5;
    if (!start()) aim.start = state.asked.starts.at(advised[5] <= 0 ? 0 : -1).value;
    aim.touched = true;
  }
  ask();
}

function again() {
  if (passing) return;
  const own = state.moves.findLastIndex(({seat}) => seat === state.seat);
  at = Math.max(0, own === state.moves.length - 1 ? own - 1 : own);
  catchUp();
}

const deeds = {
  play,
  undo: unselect,
  hint,
  skip: () => { skipping = true; },
  again,
  new: () => { if (state.ending || confirm("Leave this game and begin another?")) tryTo(() => post("/new", {})); },
  resign: () => { if (confirm("Resign? The game is then lost.")) tryTo(() => post("/resign", {})); },
};
for (const [id, deed] of Object.entries(deeds)) find(`#${id}`).onclick = deed;

find("#board").addEventListener("click", event => {
  if (state?.asked?.kind !== "choose" || !isAsked()) return;
  const id = event.target.closest(".open")?.id;
  for (let level = chosen.length; id && level >= 0; level--) if (choices(level).has(id)) return choose(level, id);
});
find("#board").addEventListener("pointerdown", event => {
  if (!aim || !isAsked() || !event.target.closest("#school")) return;
  event.preventDefault();
  find("#board").setPointerCapture(event.pointerId);
  drag(event);
});
find("#board").addEventListener("pointermove", event => {
  if (aim && isAsked() && find("#board").hasPointerCapture(event.pointerId)) drag(event);
});

document.addEventListener("keydown", event => {
  if (!state || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === "Escape") passing ? deeds.skip() : unselect();
  else if (event.key === "h") hint();
  else if (event.key === "r") again();
  else if (event.key === "Enter" && event.target.matches("input")) play();
  else if (event.key.startsWith("Arrow") && event.target.matches("fieldset button")) {
    const step = /Right|Down/.test(event.key) ? "nextElementSibling" : "previousElementSibling";
    const next = event.target[step];
    if (next?.matches("button")) next.focus();
  } else return;
  event.preventDefault();
});

follow();
