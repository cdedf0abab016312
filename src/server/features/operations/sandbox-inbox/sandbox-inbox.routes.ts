import { createHash } from 'node:crypto'
import { Hono, type MiddlewareHandler } from 'hono'
import type { AppEnv } from '#server/http/principal.ts'
import type { Outbox, OutboxEmail } from '#server/mail/outbox.ts'
import type { SmsOutbox } from '#server/sms/sms-gateway.ts'
import { AppError } from '#shared/errors.ts'
import { type InboxConfig, inboxStylesPath, listPage, messagePage, messagesPage, missingPage } from './inbox-pages.ts'

/** Styles of the sandbox inbox, in addition to the shared ones. */
const inboxStyles = `
.lead { max-width: 40rem; }
.count, .empty, .to, dt, time { color: var(--muted); }
.to, time, .count, dt { font-size: 0.9375rem; font-variant-numeric: tabular-nums; }
form { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; margin: 1.5rem 0; }
label { font-size: 0.9375rem; font-weight: 600; }
input {
  flex: 1 1 12rem; min-width: 0; max-width: 28rem; min-height: 44px; padding: 0 12px; font: inherit;
  border: 1px solid var(--line-strong); border-radius: 5px; background: var(--surface); color: var(--ink);
}
input::placeholder { color: var(--muted); opacity: 1; }
.list { margin: 0; padding: 0; list-style: none; border-top: 2px solid var(--ink); }
.list li {
  display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem;
  padding: 0.5rem 0; border-bottom: 1px solid var(--line);
}
.list a { flex: 1 0 100%; padding: 0.75rem 0 0.5rem; font-weight: 600; }
.list .text { flex: 1 0 100%; margin: 0.25rem 0; white-space: pre-line; }
dl { display: grid; grid-template-columns: minmax(6rem, max-content) minmax(0, 1fr); gap: 4px 1rem; margin: 1.5rem 0 0; }
dd { margin: 0; }
iframe { width: 100%; height: 40rem; border: 1px solid var(--line); border-radius: 5px; background: var(--surface); }
pre {
  margin: 0; padding: 20px; border: 1px solid var(--line); border-radius: 5px; background: var(--surface);
  font: 0.9375rem/1.6 ui-monospace, Menlo, Consolas, monospace; white-space: pre-wrap;
}
@media (max-width: 40rem) {
  dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
  dd { margin-bottom: 0.5rem; }
}
`

const pageSize = 100

/**
 * Shows all sent emails, including sign-in links, to anyone who can reach the loopback address. Mounted only in sandbox
 * mode.
 */
export const sandboxInboxRoutes = (outbox: Outbox, config: InboxConfig): Hono<AppEnv> =>
  new Hono<AppEnv>()
    .use('/sandbox/*', onlyOwnNames(config.publicUrl), noStore)
    .get('/sandbox/mail.json', (c) => c.json(outbox.list(c.req.query('to'))))
    .get(inboxStylesPath, (c) => c.body(inboxStyles, 200, { 'Content-Type': 'text/css; charset=utf-8' }))
    .get('/sandbox/mail', (c) => {
      const to = c.req.query('to')?.trim() ?? ''
      const emails = outbox.list(to)
      const rows = emails.slice(0, pageSize).map((email) => ({ id: emailId(email), message: email }))
      return c.html(listPage(config, { rows, total: emails.length, to }))
    })
    .get('/sandbox/mail/:id', (c) => {
      const id = c.req.param('id')
      const email = outbox.list().find((candidate) => emailId(candidate) === id)
      return email ? c.html(messagePage(config, email)) : c.html(missingPage(config), 404)
    })

/** The same for text messages. */
export const sandboxMessageRoutes = (outbox: SmsOutbox, config: InboxConfig): Hono<AppEnv> =>
  new Hono<AppEnv>()
    .use('/sandbox/*', onlyOwnNames(config.publicUrl), noStore)
    .get('/sandbox/messages.json', (c) => c.json(outbox.list(c.req.query('to'))))
    .get('/sandbox/messages', (c) => c.html(messagesPage(config, outbox.list())))

const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

/** A website that points its own name at this machine (DNS rebinding) still sends that name as Host. */
function onlyOwnNames(publicUrl: string): MiddlewareHandler<AppEnv> {
  const names = new Set([...loopbackNames, new URL(publicUrl).hostname])
  return async (c, next) => {
    const host = c.req.header('host')
    if (host !== undefined && !names.has(host.toLowerCase().replace(/:\d+$/, ''))) throw new AppError('sandbox_host')
    await next()
  }
}

const noStore: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next()
  c.header('Cache-Control', 'no-store')
  c.header('X-Robots-Tag', 'noindex')
}

/** Stable across restarts. */
const emailId = ({ to, subject, text, createdAt }: OutboxEmail): string =>
  createHash('sha256')
    .update(JSON.stringify([createdAt, to, subject, text]))
    .digest('base64url')
    .slice(0, 16)
