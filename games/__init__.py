"""Five strategy games as pure libraries: standard library only; no clock, no files, no network.

A game is an object without state; `games.engine.registry` has them all. A position is a frozen value: `apply`
returns another one, with the facts of what happened. `to_act` is who is to decide, `view` what a seat may
know, and everything else is asked of the view: `actions` lists what is legal, `parse` reads what a person
typed, `format` writes it, `scene` is the picture. `refuse` judges, `outcome` is the result. Chance is a seat
too: `draw` makes its action from dice that can be checked. `games.engine.match` keeps the log of a match.

    >>> from games.engine import registry
    >>> game = registry.get("two_domains")
    >>> state = game.start(game.setup(seats=2)).state
    >>> state = game.apply(state, -1, game.decode("first 0")).state   # chance names who begins
    >>> [game.format(state, action) for action in game.actions(state, 0)]
    ['grow 1', 'grow 2', 'grow 3', 'grow 4', 'grow 5', 'gather']
    >>> game.parse(state, 0, "Grow 2").action.text
    'grow 2'

Games speak in keys of messages, not in English. With words and a board: `help("dominium")`.
"""
