"use strict";
for (const game of document.querySelectorAll(".game")) {
  const data = game.querySelector('script[type="application/json"]');
  if (!data) continue;
  const {turns, tags} = JSON.parse(data.textContent);
  const [slider, counter] = [game.querySelector("input"), game.querySelector("output")];
  const [moves, board] = [game.querySelector(".moves"), game.querySelector(".board")];
  let shown = 0;
  const show = (turn) => {
    shown = Math.min(Math.max(turn, 0), turns.length - 1);
    moves.replaceChildren(...turns[shown].moves.map((move) => {
      const item = document.createElement("li");
      item.textContent = move;
      return item;
    }));
    board.innerHTML = turns[shown].picture.map((number) => tags[number]).join("");
    slider.value = shown;
    counter.textContent = `turn ${shown} of ${turns.length - 1}`;
  };
  const steps = {
    first: () => show(0),
    back: () => show(shown - 1),
    on: () => show(shown + 1),
    last: () => show(turns.length - 1),
  };
  const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "on", End: "last" };
  for (const button of game.querySelectorAll("button")) {
    button.addEventListener("click", steps[button.dataset.step]);
  }
  slider.addEventListener("input", () => show(Number(slider.value)));
  game.addEventListener("keydown", (event) => {
    if (!(event.key in keys) || event.target === slider) return;
    event.preventDefault();
    steps[keys[event.key]]();
  });
  show(0);
}
