import { type Context, Hono } from 'hono'
import type { Deps } from '#server/deps.ts'
import { readClick, readMark } from '#server/features/email-preferences/mail-token.ts'
import type { AppEnv } from '#server/http/app-env.ts'
import { AppError } from '#shared/errors.ts'
import { isRobot } from './robot.ts'
import type { Sighting } from './take-sightings.ts'

type TrackingDeps = Pick<Deps, 'secrets' | 'clock' | 'logger'> & {
  takeSightings(sightings: readonly Sighting[]): Promise<void>
}

/** One transparent pixel. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** The picture and the links of a mailing that is counted. They lead where we wrote them to and nowhere else. */
export const trackingRoutes = (deps: TrackingDeps) =>
  new Hono<AppEnv>()
    .get('/mail/open/:name', async (c) => {
      const mark = c.req.param('name').replace(/\.gif$/, '')
      const deliveryId = readMark(deps.secrets, 'mail opened', mark)
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
      const deliveryId = readClick(deps.secrets, c.req.param('token'), url)
      if (!deliveryId) throw new AppError('not_found')
      await count(deps, c, { deliveryId, type: 'clicked', url })
      return c.redirect(url, 302)
    })

/** Counting is a courtesy to the publisher: a reader is led on even when the database is away. */
async function count(deps: TrackingDeps, c: Context<AppEnv>, seen: Pick<Sighting, 'deliveryId' | 'type' | 'url'>) {
  const sighting = { ...seen, robot: isRobot(c.req.method, c.req.header('user-agent')), at: deps.clock() }
  await deps.takeSightings([sighting]).catch((error: unknown) => {
    deps.logger.warn({ err: error }, 'failed to record an open or click')
  })
}
