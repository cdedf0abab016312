import { createHash } from 'node:crypto'
import { Hono, type MiddlewareHandler } from 'hono'
import type { AppEnv } from '#server/http/app-env.ts'
import type { Outbox, OutboxEmail } from '#server/mail/outbox.ts'
import type { SmsOutbox } from '#server/sms/sms-outbox.ts'
import { AppError } from '#shared/errors.ts'
import { type InboxConfig, inboxStylesPath, listPage, messagePage, messagesPage, missingPage } from './inbox-pages.ts'
import { inboxStyles } from './inbox-styles.ts'

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
