"""Calls every method of the calendars at an address, by the client of the vendor and the description that comes with it.

    python scheduling.py http://127.0.0.1:8080/scheduling/v3/ TOKEN CALLBACK USER

Prints the name of each method whose answer was as expected.
"""
import sys

from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError

url, token, callback, other = sys.argv[1:]
api = build("calendar", "v3", credentials=Credentials(token), static_discovery=True, cache_discovery=False,
            client_options={"api_endpoint": url})


def ok(name, request, check=lambda answer: True):
    answer = request.execute()
    assert check(answer), (name, answer)
    print(name)
    return answer


def refused(status, request):
    try:
        request.execute()
    except HttpError as error:
        assert error.resp.status == status and error.error_details, error
        return
    raise AssertionError(f"{status} expected")


def channel(name):
    return {"id": name, "type": "web_hook", "address": callback}


def time(hour):
    return {"dateTime": f"2026-11-24T{hour}:00:00", "timeZone": "Europe/Berlin"}


calendars, entries, rules, events = api.calendars(), api.calendarList(), api.acl(), api.events()
made = ok("calendars.insert", calendars.insert(body={"summary": "Updates"}))
own = made["id"]
ok("calendars.get", calendars.get(calendarId=own), lambda it: it == made)
ok("calendars.update", calendars.update(calendarId=own, body={"summary": "Two", "timeZone": "Europe/Berlin"}))
ok("calendars.patch", calendars.patch(calendarId=own, body={"location": "here"}), lambda it: it["summary"] == "Two")
ok("calendarList.watch", entries.watch(body=channel("py-list")))
ok("calendarList.list", entries.list(), lambda it: own in [entry["id"] for entry in it["items"]])
ok("calendarList.delete", entries.delete(calendarId=own))
ok("calendarList.insert", entries.insert(body={"id": own}))
ok("calendarList.update", entries.update(calendarId=own, body={"selected": True}))
ok("calendarList.patch", entries.patch(calendarId=own, body={"summaryOverride": "Mine"}))
ok("calendarList.get", entries.get(calendarId=own), lambda it: it["summaryOverride"] == "Mine" and it["selected"])

ok("acl.watch", rules.watch(calendarId=own, body=channel("py-acl")))
body = {"role": "reader", "scope": {"type": "user", "value": other}}
rule = ok("acl.insert", rules.insert(calendarId=own, body=body))["id"]
ok("acl.patch", rules.patch(calendarId=own, ruleId=rule, body={"role": "writer"}))
ok("acl.get", rules.get(calendarId=own, ruleId=rule), lambda it: it["role"] == "writer")
ok("acl.update", rules.update(calendarId=own, ruleId=rule, body={**body, "role": "owner"}))
ok("acl.list", rules.list(calendarId=own), lambda it: len(it["items"]) == 2)
ok("acl.delete", rules.delete(calendarId=own, ruleId=rule))

watched = ok("events.watch", events.watch(calendarId=own, body=channel("py-events")))
body = {"id": "update0", "start": time(10), "end": time(11), "recurrence": ["RRULE:FREQ=WEEKLY;COUNT=3"]}
made = ok("events.insert", events.insert(calendarId=own, body=body))
refused(409, events.insert(calendarId=own, body=body))
ok("events.get", events.get(calendarId=own, eventId="update0"), lambda it: it == made)
ok("events.instances", events.instances(calendarId=own, eventId="update0"), lambda it: len(it["items"]) == 3)
patched = ok("events.patch", events.patch(calendarId=own, eventId="update0", body={"location": "here"}))
update = events.update(calendarId=own, eventId="update0", body={**patched, "summary": "New"})
update.headers["If-Match"] = patched["etag"]
ok("events.update", update, lambda it: it["summary"] == "New")
refused(412, update)
names, request = [], events.list(calendarId=own, singleEvents=True, maxResults=2)
while request is not None:
    answer = request.execute()
    names += [it["id"] for it in answer["items"]]
    request = events.list_next(request, answer)
assert len(names) == 3 and answer["nextSyncToken"], names
ok("events.list", events.list(calendarId=own, syncToken=events.list(calendarId=own).execute()["nextSyncToken"]),
   lambda it: it["items"] == [])
ok("events.import", events.import_(calendarId=own, body={"iCalUID": "x@elsewhere", "start": time(12), "end": time(13)}))
ok("events.quickAdd", events.quickAdd(calendarId=own, text="Lunch tomorrow 12:30"), lambda it: it["summary"] == "Lunch")
busy = {"timeMin": "2026-11-24T00:00:00Z", "timeMax": "2026-11-24T11:30:00Z", "items": [{"id": own}]}
expected = [{"start": "2026-11-24T09:00:00Z", "end": "2026-11-24T10:00:00Z"},
            {"start": "2026-11-24T11:00:00Z", "end": "2026-11-24T11:30:00Z"}]
ok("freebusy.query", api.freebusy().query(body=busy), lambda it: it["calendars"][own]["busy"] == expected)
ok("events.move", events.move(calendarId=own, eventId="update0", destination="primary"))
ok("events.delete", events.delete(calendarId="primary", eventId="update0"))
refused(410, events.delete(calendarId="primary", eventId="update0"))
ok("channels.stop", api.channels().stop(body={"id": "py-events", "resourceId": watched["resourceId"]}))
ok("calendars.clear", calendars.clear(calendarId="primary"))
ok("calendars.delete", calendars.delete(calendarId=own))
refused(404, calendars.get(calendarId=own))
ok("settings.watch", api.settings().watch(body=channel("py-settings")))
ok("settings.list", api.settings().list(), lambda it: "weekStart" in [setting["id"] for setting in it["items"]])
ok("settings.get", api.settings().get(setting="timezone"), lambda it: it["value"] == "Europe/Berlin")
ok("colors.get", api.colors().get(), lambda it: len(it["event"]) == 11)
