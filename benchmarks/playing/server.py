"""The page to play in, served on the loopback: a small WSGI application.

Pages of other origins get nothing: a request has to name this server as its host, as
one through a foreign name that leads here does not, and what changes the game has to
come from this page and be JSON, which others may not send unasked.
"""

import importlib
import importlib.resources
import json
import socket
from collections.abc import Callable
from typing import Any

from benchmarks.playing.match import Match, RefusedError

__all__ = ["FILES", "POSTS", "application", "listen", "make_server", "werkzeug"]

EXTRA = "pip install 'tabletop-marl[play]'"
LOOPBACK = "127.0.0.1"

PATIENCE = 20.0  # seconds that a request for news waits for some
LONGEST_REQUEST = 10_000  # bytes

FILES = {
    "/": ("playing/templates/play.html", "text/html"),
    "/play.js": ("playing/templates/play.js", "text/javascript"),
    "/play.css": ("playing/templates/play.css", "text/css"),
    "/icon.svg": ("playing/templates/icon.svg", "image/svg+xml"),
}
"""What the page consists of: path -> file in this package, and its type."""

FONTS = ("inter-500.ttf", "inter-700.ttf")

HEADERS = {
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}

OK, BAD_REQUEST, FORBIDDEN, NOT_FOUND = 200, 400, 403, 404
WRONG_METHOD, REFUSED, TOO_LONG = 405, 409, 413


class ServerMissingError(ImportError):
    """What serves the page is not installed."""


def werkzeug(name: str) -> Any:
    """Return a module of Werkzeug, imported only now.

    Raises:
        ServerMissingError: If it is not installed.
    """
    try:
        return importlib.import_module(f"werkzeug.{name}")
    except ImportError as error:
        raise ServerMissingError(
            f"the page needs werkzeug, which cannot be imported ({error}): {EXTRA}"
        ) from error


def listen(port: int) -> socket.socket:
    """Return a socket that listens on the loopback; port 0 takes any that is free.

    Raises:
        OSError: If that cannot be had, in words.
    """
    server = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.bind((LOOPBACK, port))
        server.listen(128)
    except (OSError, OverflowError) as error:
        server.close()
        raise OSError(
            f"port {port} of {LOOPBACK} cannot be had ({error}); give another one "
            "with --port, or --port 0 for any that is free"
        ) from None
    return server


def make_server(match: Match, listening: socket.socket) -> Any:
    """Return a server of a match; its ``serve_forever`` returns at Ctrl-C.

    Args:
        match: What is played.
        listening: From ``listen``; it can be closed afterwards.

    Raises:
        ServerMissingError: If the extra ``play`` is not installed.
    """
    serving = werkzeug("serving")

    class Quiet(serving.WSGIRequestHandler):
        """Does not print every request."""

        def log_request(self, *args: Any) -> None:
            """Print nothing."""

    port = listening.getsockname()[1]
    return serving.make_server(
        LOOPBACK,
        port,
        application(match, port),
        threaded=True,
        request_handler=Quiet,
        fd=listening.fileno(),
    )


def application(match: Match, port: int) -> Callable[..., Any]:
    """Return the WSGI application of a match, served on a port."""
    wrappers = werkzeug("wrappers")
    hosts = {f"{name}:{port}" for name in (LOOPBACK, "localhost")}

    class Request(wrappers.Request):
        """A request that is not long."""

        max_content_length = LONGEST_REQUEST

    @Request.application
    def respond(request: Any) -> Any:
        status, body, kind = _respond(match, request, hosts)
        headers = dict(HEADERS)
        if kind == LOG:
            names = "-".join(match.table.names)
            plain = "".join(c if c.isalnum() or c in "-_" else "_" for c in names)
            file = f"{match.table.game.id}-{plain}.jsonl"
            headers["Content-Disposition"] = f'attachment; filename="{file}"'
        return wrappers.Response(body, status, headers, mimetype=kind)

    return respond


JSON, LOG, FONT = "application/json", "application/x-ndjson", "font/ttf"


def _respond(match: Match, request: Any, hosts: set[str]) -> tuple[int, Any, str]:
    """Return status, body and type of the response to a request."""
    if request.environ.get("HTTP_HOST") not in hosts:
        return _error(FORBIDDEN, "this page is served at 127.0.0.1 alone")
    path = request.path
    if path in POSTS:
        if request.method != "POST":
            return _error(WRONG_METHOD, f"{path} takes POST")
        return _change(match, request)
    if request.method not in ("GET", "HEAD"):
        return _error(WRONG_METHOD, f"{path} takes GET")
    if path in FILES:
        file, kind = FILES[path]
        return OK, (importlib.resources.files("benchmarks") / file).read_bytes(), kind
    if path.removeprefix("/fonts/") in FONTS:
        return (
            OK,
            (importlib.resources.files("game_core.render") / path[1:]).read_bytes(),
            FONT,
        )
    try:
        return _look(match, path, request.args)
    except RefusedError as error:
        return _error(REFUSED, str(error))


def _look(match: Match, path: str, given: Any) -> tuple[int, Any, str]:
    """Return what a page asks to see."""
    if path == "/state":
        return _json(match.snapshot(given.get("unlike", ""), PATIENCE))
    if path == "/film":
        return _json(match.film(given.get("game", ""), given.get("move", -1, type=int)))
    if path == "/log":
        return OK, f"{match.log().to_json()}\n", LOG
    return _error(NOT_FOUND, f"there is no {path}")


def _change(match: Match, request: Any) -> tuple[int, Any, str]:
    """Do what a page asks for."""
    origin = request.headers.get("Origin")
    if origin not in (None, f"http://{request.environ['HTTP_HOST']}"):
        return _error(FORBIDDEN, "only the page itself can play")
    if request.mimetype != JSON:
        return _error(BAD_REQUEST, f"the content has to be {JSON}")
    try:
        content = request.get_data()
    except werkzeug("exceptions").RequestEntityTooLarge:
        return _error(TOO_LONG, f"give at most {LONGEST_REQUEST} bytes")
    try:
        given = json.loads(content)
        tag = str(given["tag"])
        action = given["action"] if request.path == "/move" else None
    except (ValueError, TypeError, KeyError, RecursionError):
        return _error(
            BAD_REQUEST, "give an object of JSON with tag, and action to move"
        )
    try:
        return _json(POSTS[request.path](match, tag, action))
    except RefusedError as error:
        return _error(REFUSED, str(error))


POSTS: dict[str, Callable[[Match, str, Any], Any]] = {
    "/move": lambda match, tag, action: match.answer(tag, action),
    "/hint": lambda match, tag, _: match.hint(tag),
    "/resign": lambda match, tag, _: match.resign(tag),
    "/new": lambda match, tag, _: match.new_game(tag),
}
"""Path -> what it does to the match; all need the tag of what the page has seen."""


def _json(data: Any) -> tuple[int, Any, str]:
    return OK, json.dumps(data), JSON


def _error(status: int, words: str) -> tuple[int, Any, str]:
    return status, json.dumps({"error": words}), JSON
