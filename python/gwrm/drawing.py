"""What figures need of matplotlib before the first of them."""


def load_backend() -> None:
    """A notebook's backend turns drawing on when it is loaded. That has to be before a figure of gwrm_post, which puts all
    settings back as they were."""
    import matplotlib.pyplot as plt

    plt.draw_if_interactive()
