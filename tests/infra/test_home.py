from pathlib import Path

import pytest

from workers.embedded.home import Home, HomeError


def test_create_makes_a_private_marked_folder_and_keeps_its_key(tmp_path: Path):
    home = Home.at(tmp_path / "data")
    home.create()
    key = home.secret_key()
    home.create()
    assert home.is_ours()
    assert home.secret_key() == key
    assert len(key) > 60
    assert home.root.stat().st_mode & 0o077 == 0
    assert home.secret_key_file.stat().st_mode & 0o077 == 0


def test_a_folder_with_other_files_is_refused_and_left_alone(tmp_path: Path):
    (tmp_path / "letter.txt").write_text("mine")
    with pytest.raises(HomeError, match="already holds files that are not the workbench's"):
        Home.at(tmp_path).create()
    assert [each.name for each in tmp_path.iterdir()] == ["letter.txt"]


def test_sockets_lie_inside_a_short_folder_and_outside_a_long_one(tmp_path: Path):
    assert Home.at("/srv/data").sockets == Path("/srv/data/run")
    deep = Home.at(tmp_path / ("x" * 60) / ("y" * 60))
    assert not deep.sockets.is_relative_to(deep.root)
    assert len(str(deep.sockets / ".s.PGSQL.5432.lock")) <= 107
    assert deep.sockets != Home.at(tmp_path / ("x" * 60) / ("z" * 60)).sockets


def test_a_foreign_socket_folder_is_refused(tmp_path: Path):
    home = Home.at(tmp_path / ("x" * 60) / ("y" * 60))
    home.sockets.symlink_to(tmp_path)  # someone prepared the name in /tmp
    try:
        with pytest.raises(HomeError, match="belongs to someone else"):
            home.create()
    finally:
        home.sockets.unlink()


def test_a_folder_that_cannot_be_made_is_named_in_a_sentence(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(HomeError, match="cannot be used"):
        Home.at(tmp_path / "file" / "data").create()
