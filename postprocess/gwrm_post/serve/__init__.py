"""gwrm serve: a page on which a case is edited, solved and looked at, for the browser of this machine alone.

command.py    from the command line to a server that runs until it is interrupted
server.py     HTTP, and who is let in
session.py    the case file, its checks, and the runs, one at a time
solving.py    one run: the program, its steps, what it has so far
views.py      the page that shows a result
page/         what the browser gets
"""
