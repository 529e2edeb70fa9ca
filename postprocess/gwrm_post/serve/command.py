"""From the command line to a server that runs until it is interrupted."""

import signal
import threading
import webbrowser

from .server import Server
from .session import Session
from .views import load_packages, require_packages

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def serve(options):
    """Serves the case `options.case` until a signal ends it; prints the address, with the token. ValueError for a
    case that cannot be had, OSError for a port, ImportError where a package is missing."""
    require_packages()
    ended = threading.Event()
    with Session(options.case, threads=options.threads, backend=options.backend) as session, \
            Server(session, options.port) as server:
        # A run is a process of its own, which Session ends. Before the address is told: who reads it may end us.
        for number in ENDING:
            if signal.getsignal(number) != signal.SIG_IGN:  # nohup
                signal.signal(number, lambda *_: ended.set())
        threading.Thread(target=server.serve_forever, daemon=True).start()
        threading.Thread(target=load_packages, daemon=True).start()  # the first picture need not wait for them
        print(f"{session.name} is at {server.address}\nCtrl-C ends it", flush=True)
        if options.browser:
            webbrowser.open(session.page_that_opens(server.address))
        ended.wait()
        server.shutdown()
