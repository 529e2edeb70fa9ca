"""HTTP, and who is let in: who is on this machine and knows the token, which is in the address of the page.

Every other program of this machine, and every page in its user's browser, can reach a port of 127.0.0.1. The token keeps
them out; the head Host keeps out pages whose name an attacker lets point here (DNS rebinding); Origin and the type of what
is sent keep out forms of other pages. A page may not be framed, and gets nothing from elsewhere (Content-Security-Policy).
"""

import contextlib
import hmac
import json
import pathlib
import secrets
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from .session import Busy, Changed

HOST = "127.0.0.1"
MOST_BYTES = 4 << 20  # of a request: a case of at most 1 MB, within JSON
DRAINED = 64 << 20  # of a request that is too long: read away, so that its sender hears why
SECONDS = 30  # that a request may take to arrive
PAGE = pathlib.Path(__file__).with_name("page")
TEXTS = {"check": ["text"], "run": ["text"], "save": ["text", "seen"], "cancel": []}  # what is posted, and with what
FILES = {"page.css": "text/css", "schema.js": "text/javascript", "editor.js": "text/javascript",
         "page.js": "text/javascript"}
OWN_PAGE = ("default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; connect-src 'self'; "
            "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
VIEW = ("default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'self'")


class Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, session, port=0):
        """port  0: any that is free. OSError for one that cannot be had"""
        self.session, self.token = session, secrets.token_urlsafe(32)
        try:
            super().__init__((HOST, port), Handler)
        except OSError as error:
            raise OSError(f"port {port} of {HOST} cannot be had: {error.strerror}; give another with --port N, or leave "
                          "--port out for any that is free") from None
        self.hosts = {f"{name}:{self.server_port}" for name in (HOST, "localhost")}
        if self.server_port == 80:
            self.hosts |= {HOST, "localhost"}

    @property
    def address(self):
        return f"http://{HOST}:{self.server_port}/{self.token}/"

    def handle_error(self, request, client_address):
        """A browser that has gone away is no error of ours."""


class Refused(Exception):
    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


class Handler(BaseHTTPRequestHandler):
    server_version, sys_version = "gwrm", ""
    timeout = SECONDS

    def log_message(self, *_):
        """Nothing: the address has the token in it."""

    def do_GET(self):
        self._answer(self._get)

    def do_POST(self):
        self._answer(self._post)

    def _answer(self, answer):
        try:
            answer(self._let_in())
        except Refused as refused:
            self._send_json({"refused": str(refused)}, refused.status)
        except (Busy, Changed) as conflict:
            self._send_json({"refused": str(conflict)}, 409)
        except ConnectionError:
            raise
        except (OSError, ValueError) as error:
            with contextlib.suppress(OSError):
                self._send_json({"refused": str(error)}, 500)

    def _let_in(self):
        """What stands behind the token in the path."""
        if self.headers.get_all("Host") is None or set(self.headers.get_all("Host")) - self.server.hosts:
            raise Refused(403, "this server answers to 127.0.0.1 and localhost alone")
        _, _, rest = self.path.partition("/")
        token, _, name = rest.partition("/")
        if not hmac.compare_digest(token.encode(), self.server.token.encode()):
            raise Refused(403, "the address needs the token that gwrm serve has printed")
        return name.partition("?")

    def _get(self, asked):
        name, _, query = asked
        session = self.server.session
        if name == "":
            self._send(session.page(PAGE / "page.html").encode(), "text/html", OWN_PAGE)
        elif name in FILES:
            self._send((PAGE / name).read_bytes(), FILES[name], OWN_PAGE)
        elif name == "case":
            self._send_json(session.case())
        elif name == "schema":
            self._send(session.schema(), "application/json")
        elif name == "status":
            self._send_json(session.status(int(query) if query.isdecimal() else 0))
        elif name == "view" and (view := session.view()) is not None:
            self._send(view, "text/html", VIEW)
        elif name == "result" and (path := session.result()) is not None:
            with open(path, "rb") as file:
                self._send_file(file, f"{session.stem}.h5")
        else:
            raise Refused(404, f"there is no {name or 'page'} here")

    def _post(self, asked):
        name, session = asked[0], self.server.session
        if name not in TEXTS:
            raise Refused(404, f"there is no {name} here")
        given = self._given(TEXTS[name])
        if name == "check":
            self._send_json(session.check(given["text"]))
        elif name == "run":
            self._send_json(session.run(given["text"]))
        elif name == "save":
            self._send_json(session.save(given["text"], given["seen"]))
        else:
            self._send_json(session.cancel())

    def _given(self, names):
        """The object that was sent, which has a text of each of the names."""
        if self.headers.get("Origin") not in {f"http://{host}" for host in self.server.hosts}:
            raise Refused(403, "only the page itself may ask for this")
        if self.headers.get_content_type() != "application/json":
            raise Refused(415, "application/json is expected")
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdecimal()):
            raise Refused(411, "the length has to be told")
        if int(length) > MOST_BYTES:
            self._read_away(min(int(length), DRAINED))
            raise Refused(413, f"at most {MOST_BYTES} bytes are taken")
        try:
            given = json.loads(self.rfile.read(int(length)))
            for name in names:
                given[name].encode()
        except (ValueError, RecursionError):
            raise Refused(400, "this is not JSON in UTF-8") from None
        except (TypeError, KeyError, AttributeError):
            raise Refused(400, f"an object with {' and '.join(names)} is expected") from None
        return given

    def _read_away(self, length):
        while length > 0 and (block := self.rfile.read(min(length, 1 << 16))):
            length -= len(block)

    def _send_json(self, given, status=200):
        self._send(json.dumps(given).encode(), "application/json", status=status)

    def _send(self, data, kind, policy="default-src 'none'", status=200):
        self._head(kind, len(data), policy, status)
        self.wfile.write(data)

    def _send_file(self, file, name):
        length = file.seek(0, 2)
        file.seek(0)
        plain = "".join(letter if letter.isascii() and (letter.isalnum() or letter in "._-") else "_" for letter in name)
        self._head("application/x-hdf5", length, "default-src 'none'", 200, ("Content-Disposition",
                                                                           f'attachment; filename="{plain}"'))
        while block := file.read(1 << 20):
            self.wfile.write(block)

    def _head(self, kind, length, policy, status, *more):
        self.send_response(status)
        for name, value in (("Content-Type", f"{kind}; charset=utf-8" if kind.startswith("text/") else kind),
                            ("Content-Length", str(length)), ("Content-Security-Policy", policy),
                            ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer"),
                            ("X-Content-Type-Options", "nosniff"), ("Cross-Origin-Resource-Policy", "same-origin"), *more):
            self.send_header(name, value)
        self.end_headers()
