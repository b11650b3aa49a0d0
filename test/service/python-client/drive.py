"""
Calls every method of the deployments service with the client of its vendor, and prints a line of JSON for each: its name,
and what is to be seen of its answer. The last line has the names of all methods that were called.

    drive.py ADDRESS TOKEN OTHER_TOKEN     the address is that of the service, without the version; a token for each user
"""

import json
import sys

from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError

address, token, other_token = sys.argv[1:]
called = set()


def client(of):
    return build(
        "deploymentmanager",
        "v2beta",
        credentials=Credentials(of),
        client_options={"api_endpoint": address},
        static_discovery=True,
    )


api = client(token)
other = client(other_token)


def call(method, of=api, **arguments):
    """The answer, or the status of a refusal."""
    called.add(method)
    collection, name = method.split(".")
    try:
        return getattr(getattr(of, collection)(), name)(project="demo", **arguments).execute()
    except HttpError as error:
        return error.status_code


def report(method, **shown):
    print(json.dumps({"method": method, **shown}))


def polled(operation):
    """The operation at its end, and the states it went through."""
    states = [operation["status"]]
    while operation["status"] != "DONE":
        operation = call("operations.get", operation=operation["name"])
        if operation["status"] != states[-1]:
            states.append(operation["status"])
    return operation, states


def done(method, **arguments):
    return polled(call(method, **arguments))[0]


def names(method, member, **arguments):
    """Of all pages."""
    called.add(method)
    resource = getattr(api, method.split(".")[0])()
    request = resource.list(project="demo", **arguments)
    found = []
    while request is not None:
        answer = request.execute()
        found += [it["name"] for it in answer.get(member, [])]
        request = resource.list_next(request, answer)
    return found


def front():
    return call("deployments.get", deployment="front")


def fingerprint():
    return {"fingerprint": front()["fingerprint"]}


# Types

found = names("types.list", "types", maxResults=5)
report("types.list", pages=len(found) > 5, ordered=found == sorted(found))
report("typeProviders.list", known="compute-v1" in names("typeProviders.list", "typeProviders"))
report("typeProviders.get", name=call("typeProviders.get", typeProvider="compute-v1")["name"])
found = call("typeProviders.listTypes", typeProvider="compute-v1")["types"]
report("typeProviders.listTypes", known="instances" in [it["name"] for it in found])
found = call("typeProviders.getType", typeProvider="compute-v1", type="instances")
report("typeProviders.getType", required=json.loads(found["schema"]["input"])["required"])

own = {"name": "own", "descriptorUrl": "https://api.example/openapi.json"}
found = done("typeProviders.insert", body=own)
report("typeProviders.insert", warnings=[it["code"] for it in found["warnings"]])
storage = {**own, "descriptorUrl": "https://www.googleapis.com/discovery/v1/apis/storage/v1/rest"}
done("typeProviders.update", typeProvider="own", body=storage)
found = call("typeProviders.listTypes", typeProvider="own")["types"]
report("typeProviders.update", types=[it["name"] for it in found])
done("typeProviders.patch", typeProvider="own", body={"description": "ours"})
found = call("typeProviders.get", typeProvider="own")
report("typeProviders.patch", description=found["description"], kept=found["descriptorUrl"] == storage["descriptorUrl"])
done("typeProviders.delete", typeProvider="own")
report("typeProviders.delete", gone=call("typeProviders.get", typeProvider="own"))

template = "resources:\n- {name: one, type: storage.v1.bucket}\n- {name: two, type: storage.v1.bucket}\n"
pair = {"name": "pair", "templateContents": {"template": template, "interpreter": "JINJA"}}
done("compositeTypes.insert", body=pair)
report("compositeTypes.insert", again=call("compositeTypes.insert", body=pair))
report("compositeTypes.list", names=names("compositeTypes.list", "compositeTypes"))
done("compositeTypes.update", compositeType="pair", body={**pair, "status": "EXPERIMENTAL"})
report("compositeTypes.update", status=call("compositeTypes.get", compositeType="pair")["status"])
done("compositeTypes.patch", compositeType="pair", body={"description": "two buckets"})
found = call("compositeTypes.get", compositeType="pair")
report("compositeTypes.patch", status=found["status"], description=found["description"])
report("compositeTypes.get", template=found["templateContents"]["template"] == template)

# A deployment

config = """
resources:
- {name: net, type: compute.v1.network}
- {name: rule, type: compute.v1.firewall, properties: {network: $(ref.net.selfLink)}}
- {name: parts, type: "composite:pair"}
"""
body = {"name": "front", "target": {"config": {"content": config}}}
operation = call("deployments.insert", body=body)
operation, states = polled(operation)
report("deployments.insert", type=operation["operationType"], states=states, error=operation.get("error"))
found = front()
report("deployments.get", deployed="manifest" in found and "update" not in found)
report("deployments.list", names=names("deployments.list", "deployments", filter="name eq fr.*"))
report("resources.list", names=names("resources.list", "resources", deployment="front"))
found = call("resources.get", deployment="front", resource="rule")
report("resources.get", final=found["finalProperties"].strip().split("/")[-1])
manifests = names("manifests.list", "manifests", deployment="front")
report("manifests.list", count=len(manifests))
found = call("manifests.get", deployment="front", manifest=manifests[0])
report("manifests.get", expanded="name: two" in found["expandedConfig"], layout="composite:pair" in found["layout"])

less = {**body, "target": {"config": {"content": "resources:\n- {name: net, type: compute.v1.network}\n"}}}
operation = done("deployments.update", deployment="front", preview=True, body={**less, **fingerprint()})
update = call("resources.get", deployment="front", resource="rule")["update"]
report("deployments.update", type=operation["operationType"], shown=[update["intent"], update["state"]])
done("deployments.cancelPreview", deployment="front", body=fingerprint())
found = call("resources.get", deployment="front", resource="rule")
report("deployments.cancelPreview", left="update" in found, stale=call("deployments.cancelPreview", deployment="front", body={"fingerprint": "AAAA"}))
done("deployments.patch", deployment="front", body={"description": "the front", **fingerprint()})
report("deployments.patch", description=front()["description"])

# Who may do what

policy = call("deployments.getIamPolicy", resource="front")
report("deployments.getIamPolicy", empty="bindings" not in policy)
denied = call("deployments.get", of=other, deployment="front")
policy["bindings"] = [{"role": "roles/viewer", "members": ["allAuthenticatedUsers"]}]
call("deployments.setIamPolicy", resource="front", body={"policy": policy})
allowed = call("deployments.get", of=other, deployment="front")["name"]
stale = call("deployments.setIamPolicy", resource="front", body={"policy": policy})
report("deployments.setIamPolicy", denied=denied, allowed=allowed, stale=stale)
wanted = {"permissions": ["deploymentmanager.deployments.get", "deploymentmanager.deployments.update"]}
found = call("deployments.testIamPermissions", of=other, resource="front", body=wanted)
report("deployments.testIamPermissions", permissions=found["permissions"])

# Its end

more = {**body, "target": {"config": {"content": config + "- {name: last, type: compute.v1.network, metadata: {dependsOn: [new]}}\n- {name: new, type: compute.v1.network}\n"}}}
operation = call("deployments.update", deployment="front", body={**more, **fingerprint()})
while operation["status"] != "RUNNING":
    operation = call("operations.get", operation=operation["name"])
again = call("deployments.update", deployment="front", body={**more, **fingerprint()})
done("deployments.stop", deployment="front", body=fingerprint())
stopped = call("operations.get", operation=operation["name"])
states = {it: call("resources.get", deployment="front", resource=it).get("update", {}).get("state") for it in ("new", "last")}
report("deployments.stop", meanwhile=again, error=stopped["error"]["errors"][0]["code"], states=states)
operation = done("deployments.delete", deployment="front", deletePolicy="ABANDON")
report("deployments.delete", gone=call("deployments.get", deployment="front"))
found = names("operations.list", "operations", orderBy="creationTimestamp desc", maxResults=3)
report("operations.list", newest=found[0] == operation["name"])
report("operations.get", progress=operation["progress"], user=operation["user"])
done("compositeTypes.delete", compositeType="pair")
report("compositeTypes.delete", gone=call("compositeTypes.get", compositeType="pair"))

print(json.dumps({"methods": sorted(called)}))
