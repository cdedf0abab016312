import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { decodeForm, type RawMap } from '../http/decode-form.ts'
import { ApiError } from '../http/errors.ts'
import type { WebRequest, WebResponse } from '../http/server.ts'
import { randomText } from '../store/ids.ts'
import type { Store } from '../store/store.ts'
import type { Tx } from '../tx.ts'
import { message, redirect } from './layout.ts'

/** Kept in the store, so that a form opened before a restart can still be sent. */
function secretOf(store: Store): string {
  const known = store.setting('csrf_secret')
  if (known !== undefined) return known
  const secret = randomText(43)
  store.saveSetting('csrf_secret', secret)
  return secret
}

/**
 * The form token, which other sites can't read.
 * @param scope the page it belongs to, such as a session id
 */
export const csrfToken = (store: Store, scope: string): string =>
  createHmac('sha256', secretOf(store)).update(scope).digest('base64url')

function csrfValid(store: Store, scope: string, given: string): boolean {
  const wanted = Buffer.from(csrfToken(store, scope))
  const actual = Buffer.from(given)
  return wanted.length === actual.length && timingSafeEqual(wanted, actual)
}

export type PageCall = {
  tx: Tx
  method: 'GET' | 'POST'
  /** Parts of the path that the pattern captured. */
  path: string[]
  /** A field of the form or query, or ''. */
  field: (name: string) => string
  /** Deletes everything except seeded data. */
  reset: () => void
}

export type PageTools = { newTx: () => Tx; reset: (tx: Tx) => void }

export type PageRoute = {
  pattern: RegExp
  /** The scope of the form token; undefined for pages without forms. */
  scope?: (path: string[]) => string
  handle: (call: PageCall) => WebResponse
}

const asset = (name: string, type: string): WebResponse => ({
  status: 200,
  headers: { 'cache-control': 'max-age=60', 'content-type': type, 'x-content-type-options': 'nosniff' },
  body: readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8'),
})

const assets: { [path: string]: WebResponse } = {
  '/assets/sandbox.css': asset('sandbox.css', 'text/css; charset=utf-8'),
  '/assets/sandbox.js': asset('entry-pages.js', 'text/javascript; charset=utf-8'),
}

const text = (form: RawMap, name: string): string => {
  const value = form[name]
  return typeof value === 'string' ? value.slice(0, 2000) : ''
}

function readFields(request: WebRequest): RawMap {
  return decodeForm(request.method === 'POST' ? request.body : request.query)
}

/** Rejects forms from other sites, even with a valid token. */
function fromElsewhere(request: WebRequest): boolean {
  const { origin, host, 'sec-fetch-site': site } = request.headers
  if (site === 'cross-site') return true
  if (origin === undefined || origin === 'null') return false
  return !URL.canParse(origin) || new URL(origin).host !== host
}

const refused = (): WebResponse =>
  message('We couldn’t accept this form', 'Go back, reload the page, and submit the form again.', null, 403)

/** Handles a page request. Returns undefined if no page matches. */
export function answerPage(
  routes: readonly PageRoute[],
  request: WebRequest,
  tools: PageTools,
): WebResponse | undefined {
  const known = Object.hasOwn(assets, request.path) ? assets[request.path] : undefined
  if (known && request.method === 'GET') return known
  if (request.method !== 'GET' && request.method !== 'POST') return undefined
  const method = request.method
  for (const route of routes) {
    const match = route.pattern.exec(request.path)
    if (!match) continue
    const path = match.slice(1).map((part) => part ?? '')
    try {
      const form = readFields(request)
      const tx = tools.newTx()
      const scope = route.scope?.(path)
      if (method === 'POST') {
        const token = text(form, 'csrf')
        if (scope === undefined || fromElsewhere(request) || !csrfValid(tx.store, scope, token)) return refused()
      }
      return tx.store.transaction(() =>
        route.handle({ field: (name) => text(form, name), method, path, reset: () => tools.reset(tx), tx }),
      )
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return message('Something went wrong', error.message, null, error.status)
    }
  }
  return undefined
}

/** A message about the submitted form, and its field values to show again. */
export type Flash = {
  done?: string
  error?: string
  /** Name of the invalid field. */
  wrong?: string
  name?: string
  email?: string
  code?: string
}

const flashLifetimeSeconds = 86_400

/** Removes card numbers that were typed into other fields, so that they aren't stored. */
const withoutNumbers = (text: string): string => (/\d{12}/.test(text.replace(/[\s-]/g, '')) ? '' : text)

/**
 * Responds to a form with a redirect to `address`, where `readFlash` reads the message, so that reloading or going back
 * doesn't submit the form again.
 * @param address a path without a query
 */
export function redirectWithFlash(tx: Tx, address: string, said: Flash): WebResponse {
  const id = randomText(22)
  const kept = Object.fromEntries(Object.entries(said).map(([name, text]) => [name, withoutNumbers(text ?? '')]))
  tx.store.run('insert into said values (?, ?, ?, ?)', id, address, JSON.stringify(kept), Math.floor(tx.wallMs / 1000))
  return redirect(`${address}?said=${id}`)
}

/** The message for this page, if a form redirected to it. */
export function readFlash({ tx, field }: Pick<PageCall, 'tx' | 'field'>, address: string): Flash {
  const row = tx.store.row('select json from said where id = ? and address = ?', field('said'), address)
  return row ? (JSON.parse(String(row.json)) as Flash) : {}
}

/** Deletes expired messages. */
export const deleteExpiredFlashes = (store: Tx['store'], nowSeconds: number): void =>
  void store.run('delete from said where at < ?', nowSeconds - flashLifetimeSeconds)
