import { type Context, Hono } from 'hono'
import type { Deps } from '#server/deps.ts'
import { readClickToken, readDeliveryToken } from '#server/features/email-preferences/link-tokens.ts'
import type { AppEnv } from '#server/http/app-env.ts'
import { AppError } from '#shared/errors.ts'
import { isBotRequest } from './bot.ts'
import type { EngagementEvent } from './record-engagement.ts'

type TrackingDeps = Pick<Deps, 'secrets' | 'clock' | 'logger'> & {
  recordEngagement(events: readonly EngagementEvent[]): Promise<void>
}

/** One transparent pixel. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** The picture and the links of a mailing that is counted. They lead where we wrote them to and nowhere else. */
export const trackingRoutes = (deps: TrackingDeps) =>
  new Hono<AppEnv>()
    .get('/mail/open/:name', async (c) => {
      const token = c.req.param('name').replace(/\.gif$/, '')
      const deliveryId = readDeliveryToken(deps.secrets, 'mail opened', token)
      if (!deliveryId) throw new AppError('not_found')
      await count(deps, c, { deliveryId, type: 'opened', url: '' })
      return c.body(pixel, 200, {
        'Content-Type': 'image/gif',
        'Cache-Control': 'no-store',
        // A reader's webmail shows it from a page of its own.
        'Cross-Origin-Resource-Policy': 'cross-origin',
      })
    })
    .get('/mail/click/:token', async (c) => {
      const url = c.req.query('to') ?? ''
      const deliveryId = readClickToken(deps.secrets, c.req.param('token'), url)
      if (!deliveryId) throw new AppError('not_found')
      await count(deps, c, { deliveryId, type: 'clicked', url })
      return c.redirect(url, 302)
    })

/** Counting is a courtesy to the publisher: a reader is led on even when the database is away. */
async function count(
  deps: TrackingDeps,
  c: Context<AppEnv>,
  seen: Pick<EngagementEvent, 'deliveryId' | 'type' | 'url'>,
) {
  const event = { ...seen, isBot: isBotRequest(c.req.method, c.req.header('user-agent')), at: deps.clock() }
  await deps.recordEngagement([event]).catch((error: unknown) => {
    deps.logger.warn({ err: error }, 'failed to record an open or click')
  })
}
