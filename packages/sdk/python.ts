import { type OpenApiDocument, type Operation, operationsOf } from './operations.ts';

/** A client in Python that needs nothing but its standard library (3.9 and later). */
export function pythonClient(document: OpenApiDocument): string {
  const methods = operationsOf(document).flatMap((operation) => [
    methodOf(operation),
    ...(operation.item === undefined ? [] : [iteratorOf(operation)]),
  ]);
  return `"""${document.info.title} ${document.info.version}. Printed by "npm run sdk"."""

${runtime}

class Client(_Base):
${methods.join('\n')}`;
}

/** `createContact` → `create_contact`. */
function snake(name: string): string {
  const word = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/\W/g, '_');
  return ['from', 'is', 'in', 'not', 'class', 'global', 'import'].includes(word)
    ? `${word}_`
    : word;
}

function argumentsOf(operation: Operation): string[] {
  const { params, query, body, isUpload } = operation;
  return [
    ...params.map((name) => snake(name)),
    ...(body === undefined ? [] : ['body=None']),
    ...(isUpload ? ['file', 'filename="file.csv"'] : []),
    ...query.map(({ name }) => `${snake(name)}=None`),
    ...(operation.takesIdempotencyKey ? ['idempotency_key=None'] : []),
    ...(operation.takesPreference ? ['prefer=None'] : []),
  ];
}

function queryOf({ query }: Operation): string {
  return `{${query.map(({ name }) => `${JSON.stringify(name)}: ${snake(name)}`).join(', ')}}`;
}

function pathOf({ path, params }: Operation): string {
  const text = params.reduce(
    (all, name) => all.replace(`{${name}}`, `{_part(${snake(name)})}`),
    path,
  );
  return params.length === 0 ? JSON.stringify(path) : `f"${text}"`;
}

function methodOf(operation: Operation): string {
  const { id, method, body, isUpload, summary } = operation;
  const given = [
    `query=${queryOf(operation)}`,
    ...(body === undefined ? [] : ['body=body']),
    ...(isUpload ? ['file=(filename, file)'] : []),
    ...(operation.takesIdempotencyKey
      ? ['idempotency_key=idempotency_key or str(uuid.uuid4())']
      : []),
    ...(operation.takesPreference ? ['prefer=prefer'] : []),
  ];
  const list = argumentsOf(operation);
  const isKeyword = operation.params.length + Number(isUpload) < list.length;
  const positional = [...operation.params.map(snake), ...(isUpload ? ['file'] : [])];
  const others = list.filter((each) => !positional.includes(each));
  const signature = ['self', ...positional, ...(isKeyword ? ['*'] : []), ...others].join(', ');
  return `    def ${snake(id)}(${signature}):
        """${summary}."""
        return self._call("${method}", ${pathOf(operation)}, ${given.join(', ')})
`;
}

function iteratorOf(operation: Operation): string {
  const { id, params, query, summary } = operation;
  const filters = query.filter(({ name }) => name !== 'cursor').map(({ name }) => snake(name));
  const star = filters.length === 0 ? [] : ['*'];
  const signature = [
    'self',
    ...params.map(snake),
    ...star,
    ...filters.map((each) => `${each}=None`),
  ];
  const passed = [
    ...params.map(snake),
    ...filters.map((each) => `${each}=${each}`),
    'cursor=cursor',
  ];
  return `    def each_of_${snake(id)}(${signature.join(', ')}):
        """${summary}; page after page."""
        cursor = None
        while True:
            page = self.${snake(id)}(${passed.join(', ')})
            yield from page["results"]
            cursor = page["next"]
            if cursor is None:
                return
`;
}

const runtime = `import hashlib
import hmac
import json
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from datetime import datetime


class ApiError(Exception):
    """What the service refused: by code for programs, by detail for people.

    The code "rejected": a document fails its checks, and body says all that is wrong with it.
    """

    def __init__(self, status, body, headers):
        self.status = status
        self.code = body.get("code", "unknown")
        self.detail = body.get("detail", "")
        self.errors = body.get("errors", {})
        if isinstance(self.errors, list):
            found = [f"{each['rule']}: {each['message']}" for each in self.errors]
            self.code, self.detail, self.errors = "rejected", "".join(found[:1]), {}
        self.request_id = body.get("request_id")
        self.body = body
        after = headers.get("Retry-After")
        self.retry_after_seconds = int(after) if after and after.isdigit() else None
        super().__init__(f"{status} {self.code}: {self.detail}")


def verify_webhook(body, secret, now=None, tolerance_seconds=300):
    """The event of a webhook whose signature holds, else None. \`body\` is the bytes as they came."""
    text = body.decode("utf-8") if isinstance(body, bytes) else body
    found = re.search(r',"signature":"sha256=([0-9a-f]{64})"\\}$', text)
    if found is None:
        return None
    unsigned = text[: found.start()] + "}"
    stamp = re.search(r',"ts":"([^"]+)"\\}$', unsigned)
    if stamp is None:
        return None
    try:
        signed_at = datetime.fromisoformat(stamp.group(1).replace("Z", "+00:00")).timestamp()
    except ValueError:
        return None
    if abs((time.time() if now is None else now) - signed_at) > tolerance_seconds:
        return None
    signed = f"{stamp.group(1)}.{unsigned}".encode("utf-8")
    expected = hmac.new(secret.encode("utf-8"), signed, hashlib.sha256).hexdigest()
    return json.loads(unsigned) if hmac.compare_digest(expected, found.group(1)) else None


def _part(value):
    return urllib.parse.quote(str(value), safe="")


def _text(value):
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


class _Base:
    def __init__(self, base_url, key, opener=None, timeout=60):
        """\`opener\`: what sends, as urllib.request.build_opener() makes it."""
        self._base_url = base_url.rstrip("/")
        self._key = key
        self._opener = opener or urllib.request.build_opener()
        self._timeout = timeout

    def _call(self, method, path, query=None, body=None, file=None, idempotency_key=None, prefer=None):
        given = {name: _text(value) for name, value in (query or {}).items() if value is not None}
        url = self._base_url + path + ("?" + urllib.parse.urlencode(given) if given else "")
        headers = {"Authorization": f"Bearer {self._key}", "Accept": "application/json, */*"}
        if idempotency_key is not None:
            headers["Idempotency-Key"] = idempotency_key
        if prefer is not None:
            headers["Prefer"] = prefer
        data = None
        if file is not None:
            boundary = uuid.uuid4().hex
            name = re.sub(r'["\\r\\n]', "_", file[0])
            head = f'--{boundary}\\r\\nContent-Disposition: form-data; name="file"; filename="{name}"\\r\\n\\r\\n'
            data = head.encode("utf-8") + file[1] + f"\\r\\n--{boundary}--\\r\\n".encode("utf-8")
            headers["Content-Type"] = f"multipart/form-data; boundary={boundary}"
        elif body is not None:
            data = json.dumps(body).encode("utf-8")
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(url, data=data, headers=headers, method=method)
        try:
            with self._opener.open(request, timeout=self._timeout) as answer:
                return _read(answer)
        except urllib.error.HTTPError as error:
            said = _read(error)
            raise ApiError(error.code, said if isinstance(said, dict) else {}, error.headers) from None


def _read(answer):
    raw = answer.read()
    if not raw:
        return None
    return json.loads(raw) if "json" in (answer.headers.get("Content-Type") or "") else raw

`;
