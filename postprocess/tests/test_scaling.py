import pytest

from gwrm_post import plot_scaling, read_scaling

TABLE = """# a machine
windows,subdomains,seconds,memory_mb
1,1,1.0,10
1,1,5.0,10
1,1,1.2,10
2,1,2.1,10
4,1,4.0,10
1,4,3.0,40
2,4,6.5,40
4,4,12.5,40
"""


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "cost.csv"
    path.write_text(TABLE)
    return path


def test_the_median_of_repeated_measurements(table):
    costs = read_scaling(table)
    assert costs[1, 1] == 1.2 and costs[4, 4] == 12.5 and len(costs) == 6
    assert read_scaling(table, "memory_mb")[2, 4] == 40.0


def test_curves(table):
    windows, subdomains = plot_scaling(table).axes
    curves = {line.get_label(): line for line in windows.get_lines()}
    assert list(curves["4"].get_xdata()) == [1, 2, 4] and list(curves["4"].get_ydata()) == [3.0, 6.5, 12.5]
    assert list(curves["proportional"].get_ydata()) == [1.0, 4.0]  # through the cheapest at the largest count
    assert [line.get_label() for line in subdomains.get_lines()] == ["1", "2", "4", "proportional"]
    assert windows.get_xscale() == windows.get_yscale() == "log"
    assert windows.get_ylabel() == "wall time [s]"


def test_two_studies_in_a_table(tmp_path):
    path = tmp_path / "studies.csv"
    path.write_text("windows,subdomains,seconds,memory_mb\n10,1,1,30\n100,1,9,40\n4,8,2,30\n4,16,3,35\n4,32,5,45\n")
    figure = plot_scaling(path, second="memory_mb")
    windows, subdomains, *rights = figure.axes
    assert [line.get_label() for line in windows.get_lines()] == ["1", "proportional"]
    assert [line.get_label() for line in subdomains.get_lines()] == ["4", "proportional"]
    assert list(subdomains.get_lines()[1].get_ydata()) == [1.25, 5.0]
    assert [list(right.get_lines()[0].get_ydata()) for right in rights] == [[30, 40], [30, 35, 45]]
    assert rights[0].get_ylim() == rights[1].get_ylim() and rights[0].get_ylim()[0] == 0
    assert rights[1].get_ylabel() == "memory [MB]  (squares)"


def test_one_direction_gives_one_panel(tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("windows, subdomains, seconds\n1, 2, 1.0\n8, 2, 7.0\n")
    assert len(plot_scaling(path).axes) == 1


@pytest.mark.parametrize("text, message", [
    ("windows,seconds\n1,2\n", "no column 'subdomains'"),
    ("windows,subdomains,seconds\n1,2,fast\n", "not a measurement"),
    ("windows,subdomains,seconds\n0,2,1.0\n", "not a measurement"),
    ("windows,subdomains,seconds\n1,2\n", "not a measurement"),
    ("windows,subdomains,seconds\n", "no rows"),
    ("windows,subdomains,seconds\n1,2,1.0\n", "nothing to compare"),
])
def test_tables_that_cannot_be_drawn(tmp_path, text, message):
    path = tmp_path / "bad.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=message):
        plot_scaling(path)
