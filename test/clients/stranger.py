"""A client of the language server, written after docs/editors.md and the protocol alone: nothing but Python's own library.

It prints one JSON object with the answer to everything that it asked. Environment: PROGRAM (a JSON list), SERVICE, FOLDER
(an address without its last slash), MANIFEST (its text), ARCHIVE (the address of a file).
"""

import json
import os
import subprocess
import sys
import threading

program = json.loads(os.environ["PROGRAM"])
folder = os.environ["FOLDER"]
manifest = os.environ["MANIFEST"]
uri = folder + "/package.json"
server = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
changed = threading.Condition()
answers, pushed, told, edits, progress = {}, {}, [], [], []
last = 0


def send(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    server.stdin.flush()


def receive():
    length = None
    while True:
        line = server.stdout.readline()
        if not line:
            return None
        if line == b"\r\n":
            return json.loads(server.stdout.read(length))
        name, value = line.split(b":", 1)
        if name.lower() == b"content-length":
            length = int(value)


def asked_of_us(method, params):
    """What the server asks of this client."""
    if method == "workspace/applyEdit":
        edits.append(params["edit"])
        return {"applied": True}
    if method == "workspace/configuration":
        return [{"codeLens": True, "purlHovers": True} for _ in params["items"]]
    return None


def listen():
    while True:
        message = receive()
        if message is None:
            return
        with changed:
            if "method" not in message:
                answers[message["id"]] = message
            elif "id" in message:
                send({"id": message["id"], "result": asked_of_us(message["method"], message.get("params"))})
            elif message["method"] == "textDocument/publishDiagnostics":
                pushed[message["params"]["uri"]] = message["params"]["diagnostics"]
            elif message["method"] == "$/progress":
                progress.append(message["params"]["value"]["kind"])
            else:
                told.append(message["method"])
            changed.notify_all()


def notify(method, params):
    send({"method": method, "params": params})


def ask(method, params):
    global last
    last += 1
    own = last
    with changed:
        send({"id": own, "method": method, **({} if params is None else {"params": params})})
        if not changed.wait_for(lambda: own in answers, 20):
            sys.exit("no answer to " + method)
    message = answers.pop(own)
    return message["result"] if "result" in message else {"error": message["error"]["code"]}


def until(what, holds):
    with changed:
        if not changed.wait_for(holds, 20):
            sys.exit("never came: " + what)


threading.Thread(target=listen, daemon=True).start()
early = ask("packageInsights/readPurl", {"purl": "pkg:npm/lodash"})
initialized = ask(
    "initialize",
    {
        "processId": os.getpid(),
        "rootUri": folder,
        "workspaceFolders": [{"uri": folder, "name": "w"}],
        "initializationOptions": {"baseUrl": os.environ["SERVICE"], "isTrusted": False, "documentLinks": True,
                                  "network": {"proxySupport": "off"}},
        "capabilities": {
            "workspace": {"applyEdit": True, "configuration": True, "workspaceEdit": {"documentChanges": True}},
            "textDocument": {
                "hover": {"contentFormat": ["markdown"]},
                "completion": {},
                "codeLens": {},
                "documentLink": {"tooltipSupport": True},
                "inlayHint": {},
                "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}},
            },
            "experimental": {"packageInsightsStatus": True},
        },
    },
)
notify("initialized", {})
notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "json", "version": 1, "text": manifest}})
until("findings", lambda: len(pushed.get(uri, [])) == 2)
notify("packageInsights/trusted", {})
notify("packageInsights/network", {"proxySupport": "off"})

document = {"textDocument": {"uri": uri}}
line = next(at for at, it in enumerate(manifest.split("\n")) if '"lodash"' in it)
on_name = {**document, "position": {"line": line, "character": 6}}
on_version = {**document, "position": {"line": line, "character": manifest.split("\n")[line].index("4.17") + 3}}
whole = {**document, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}}
lodash = {"system": "NPM", "name": "lodash", "version": "4.17.15"}
app = {"system": "NPM", "name": "app", "version": "1.0.0"}
archive = {"uri": os.environ["ARCHIVE"]}

seen = {"early": early, "offered": initialized["capabilities"], "pushed": [it["code"] for it in pushed[uri]]}
seen["hover"] = ask("textDocument/hover", on_name)
seen["hints"] = [it["label"] for it in ask("textDocument/inlayHint", whole)]
seen["actions"] = ask("textDocument/codeAction", {**whole, "context": {"diagnostics": []}})
seen["links"] = ask("textDocument/documentLink", document)
completed = ask("textDocument/completion", on_version)
seen["completion"] = [it["label"] for it in completed["items"]]
seen["resolved"] = ask("completionItem/resolve", completed["items"][0])
seen["lenses"] = ask("textDocument/codeLens", document)

command = seen["lenses"][0]["command"]
seen["updateAll"] = ask("workspace/executeCommand", {"command": command["command"], "arguments": command["arguments"]})
ignoring = next(it["command"] for it in seen["actions"] if it["title"].startswith("Ignore"))
seen["ignore"] = ask("workspace/executeCommand", {"command": ignoring["command"], "arguments": ignoring["arguments"]})
seen["refresh"] = ask("workspace/executeCommand", {"command": "packageInsights.server.refresh"})
seen["edits"] = [it["documentChanges"][-1]["textDocument"]["uri"] for it in edits]

seen["subjects"] = ask("packageInsights/subjects", document)
seen["subject"] = ask("packageInsights/subjects", on_name)
seen["groups"] = ask("packageInsights/requirements", app)
seen["entries"] = ask("packageInsights/requirements", {**app, "group": seen["groups"]["groups"][0]["name"]})
seen["upgrade"] = ask("packageInsights/upgrade", app)
seen["identified"] = ask("packageInsights/identify", {**archive, "workDoneToken": "reading"})
seen["other"] = ask("packageInsights/identify", {**archive, "as": "pkg:npm/lodash@4.17.15"})
seen["purl"] = ask("packageInsights/readPurl", {"purl": "pkg:npm/%40a/b@1"})
seen["noPurl"] = ask("packageInsights/readPurl", {"purl": "pkg:npm/"})
seen["page"] = ask("packageInsights/lookUpPurl", {"purl": "pkg:npm/lodash@4.17.21"})
seen["line"] = ask("packageInsights/dependencyLine", {**document, **lodash})
seen["report"] = ask("packageInsights/report", {"workDoneToken": "report"})
seen["notices"] = ask("packageInsights/notices", {"format": "text"})
seen["misfit"] = ask("packageInsights/notices", {"format": "pdf"})
seen["unheardOf"] = ask("packageInsights/unheardOf", {})

text = {"uri": folder + "/notes.md", "languageId": "markdown", "version": 1, "text": "see pkg:npm/lodash@4.17.21."}
notify("textDocument/didOpen", {"textDocument": text})
seen["overPurl"] = ask("textDocument/hover", {"textDocument": {"uri": text["uri"]}, "position": {"line": 0, "character": 8}})
seen["progress"] = sorted(set(progress))
seen["told"] = sorted(set(told))
ask("shutdown", None)
notify("exit", None)
seen["exit"] = server.wait(20)
print(json.dumps(seen))
