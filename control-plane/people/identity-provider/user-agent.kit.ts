/** A browser without pages: it keeps cookies by host, follows what it is sent to, and fills in forms. */
interface Visit {
  readonly url: URL;
  readonly status: number;
  readonly text: string;
}

export interface UserAgent {
  /** Cookies by origin, since ports do not part them in a browser but servers of tests do. */
  readonly cookies: Map<string, Map<string, string>>;
  /** The Cookie header of an origin. */
  cookieOf(origin: string): string;
  /** One request, not followed. */
  send(url: string, init?: RequestInit): Promise<Response>;
  /** Follows until a page is there, or `until` says that this is where to stop. */
  visit(url: string, until?: (url: URL) => boolean, init?: RequestInit): Promise<Visit>;
  /** Sends the only form of a page. */
  submit(
    visit: Visit,
    fields: Readonly<Record<string, string>>,
    until?: (url: URL) => boolean,
  ): Promise<Visit>;
}

const stepsMax = 20;

export function openUserAgent(): UserAgent {
  const cookies = new Map<string, Map<string, string>>();
  const cookieOf = (origin: string) =>
    [...(cookies.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');

  async function send(url: string, init: RequestInit = {}): Promise<Response> {
    const { origin } = new URL(url);
    const headers = new Headers(init.headers);
    const kept = cookieOf(origin);
    if (kept !== '') headers.set('cookie', kept);
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    const jar = cookies.get(origin) ?? new Map<string, string>();
    cookies.set(origin, jar);
    for (const each of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      if (value === '' || /max-age=0|expires=thu, 01 jan 1970/i.test(each)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  async function visit(
    from: string,
    until: (url: URL) => boolean = () => false,
    first: RequestInit = {},
  ): Promise<Visit> {
    let url = new URL(from);
    let init = first;
    for (let step = 0; step < stepsMax; step += 1) {
      if (step > 0 && until(url)) return { url, status: 0, text: '' };
      const response = await send(url.href, init);
      const location = response.headers.get('location');
      const text = await response.text();
      if (location === null) return { url, status: response.status, text };
      url = new URL(location, url);
      init = {};
    }
    throw new Error(`it goes round in circles: ${url.href}`);
  }

  return {
    cookies,
    cookieOf,
    send,
    visit,
    submit: ({ url, text }, fields, until) => {
      const [, action = ''] = /<form[^>]* action="([^"]*)"/.exec(text) ?? [];
      const hidden = [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
      const body = new URLSearchParams(
        hidden.map(([, name, value]): [string, string] => [name!, value!]),
      );
      for (const [name, value] of Object.entries(fields)) body.set(name, value);
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const init = { method: 'POST', headers, body: body.toString() };
      return visit(new URL(action, url).href, until, init);
    },
  };
}
