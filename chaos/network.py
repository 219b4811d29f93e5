"""Changes of nodes and legs while the server is killed: acknowledged ones must be there, each completely or
not at all, and delivery dates must reflect them immediately."""

import contextlib
import http.client
import threading
import time

from harness import Client
from trial import Run

NODES, LEGS = "/api/admin/shipping-nodes", "/api/admin/shipping-legs"
WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
MOMENT = "2026-06-01T00:00:00Z"


def leg_input(ends, hour):
    """A leg whose five fields all encode the same hour, so that a partial change is detected."""
    return {
        "sending_node_id": ends[0], "receiving_node_id": ends[1], "preparation_duration": hour, "loading_duration": hour,
        "travel_duration": 60 + hour, "unloading_duration": hour, "exceptions": [],
        "departures": [{"weekday": weekday, "time": f"{hour:02}:00"} for weekday in WEEKDAYS],
    }  # fmt: skip


def hours_of(leg):
    """Hours encoded in the parts of a leg: one, unless a change was written partially."""
    durations = [leg["preparation_duration"], leg["loading_duration"], leg["travel_duration"] - 60, leg["unloading_duration"]]
    return {*durations, *(int(departure["time"][:2]) for departure in leg["departures"])}


class Writer(threading.Thread):
    """Changes one leg and renames its receiver repeatedly, and records acknowledged and possible changes."""

    def __init__(self, run, ends, leg, name):
        super().__init__(daemon=True)
        self.run_, self.ends, self.leg, self.name_ = run, ends, leg, name
        self.hour, self.maybe = 1, set()
        self.called, self.maybe_called = name, set()
        self.over, self.acknowledged = threading.Event(), 0

    def call(self, path, body):
        """Status of a change; None if the answer was lost."""
        try:
            return Client(self.run_.server, self.run_.token).call("PUT", path, body).status
        except (OSError, http.client.HTTPException):
            return None

    def run(self):
        number = 0
        while not self.over.is_set():
            number += 1
            hour = 1 + number % 22
            status = self.call(f"{LEGS}/{self.leg}", leg_input(self.ends, hour))
            if status == 200:
                self.hour, self.maybe, self.acknowledged = hour, set(), self.acknowledged + 1
            elif status != 422:
                self.maybe.add(hour)
            name = f"{self.name_} {number}"
            status = self.call(f"{NODES}/{self.ends[1]}", {"name": name, "active": True})
            if status == 200:
                self.called, self.maybe_called, self.acknowledged = name, set(), self.acknowledged + 1
            elif status != 422:
                self.maybe_called.add(name)
            if status is None:
                time.sleep(0.05)

    def check(self):
        """Checks the current leg and node, and the result of the search."""
        run, client = self.run_, Client(self.run_.server, self.run_.token)
        leg = client.call("GET", f"{LEGS}/{self.leg}").json()
        hours = hours_of(leg)
        run.expect(len(hours) == 1, f"half of a change is written: {leg}")
        run.expect(hours <= {self.hour, *self.maybe}, f"{hours} although {self.hour} was acknowledged, and {self.maybe} may be")
        node = client.call("GET", f"{NODES}/{self.ends[1]}").json()["name"]
        run.expect(node in {self.called, *self.maybe_called}, f"{node} although {self.called} was acknowledged")
        run.expect(leg["receiving_node"]["name"] == node and leg["name"].endswith(f" {node}"), f"the leg is called {leg['name']}, its node {node}")
        question = {"from": {"node_id": self.ends[0]}, "to_node_id": self.ends[1], "at": MOMENT}
        found = client.call("POST", "/api/admin/shipping/itineraries", question).json()
        departure = next(stage["departure"] for stage in found["stages"] if stage["departure"]) if found["stages"] else None
        hour = next(iter(hours))
        run.expect(
            departure is None or departure["time"] == f"{hour:02}:00", f"the search knows a departure at {departure}, the leg one at {hour}:00"
        )
        run.expect(found["arrives_at"] is not None and found["to_node"]["name"] == node, f"an itinerary of another network: {found}")


def network_killed(suite, database, seed):
    """Kills the server at random moments while four clients change legs and rename nodes."""
    run = Run(suite, database, seed, "network-killed")
    with contextlib.closing(run):
        run.begin()
        client = Client(run.server, run.token)

        def create(path, body):
            answer = client.call("POST", path, body)
            assert answer.status == 201, answer.body
            return answer.json()["id"]

        writers = []
        for number in range(4):
            names = [f"Absender {number}", f"Empfänger {number}"]
            ends = [create(NODES, {"name": name, "active": True}) for name in names]
            writers.append(Writer(run, ends, create(LEGS, leg_input(ends, 1)), names[1]))
        for writer in writers:
            writer.start()
        for _ in range(suite.kills):
            time.sleep(run.random.uniform(0.2, 1.2))
            run.server.kill()
            run.kills += 1
            run.server.start()
        time.sleep(0.5)
        for writer in writers:
            writer.over.set()
        for writer in writers:
            writer.join(60)
            run.expect(writer.acknowledged > suite.kills, f"only {writer.acknowledged} changes of a client were acknowledged")
            writer.check()
        run.saw.append(f"killed {run.kills} times within {sum(writer.acknowledged for writer in writers):,} acknowledged changes")
        run.expect(run.server.end() == 0, "the server did not end well")
        run.server.start()
        for writer in writers:
            writer.check()
        run.server.end()
        run.problems += database.check(run.data, run.url)
    return run
