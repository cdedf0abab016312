import { Hono } from 'hono'
import { stream } from 'hono/streaming'
import { z } from 'zod'
import type { Deps } from '#server/deps.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import {
  isStaffSession,
  requireStaffSession,
  stoppedLine,
} from '#server/features/identity/auth/sessions/require-staff-session.ts'
import type { AppEnv } from '#server/http/app-env.ts'
import type { Principal } from '#server/http/principal.ts'
import {
  adminExportDeliveriesCall,
  type DeliveryFilter,
  deliveryFilterSchema,
} from '#shared/contracts/publishing/deliveries.ts'
import { AppError } from '#shared/errors.ts'
import { findMailing } from '../sending/mailing-row.ts'
import { csvHeader, csvLine } from './deliveries-csv.ts'
import { mailingObject } from './edit-mailing.ts'
import { readDeliveries } from './list-deliveries.ts'

type ExportDeps = Pick<Deps, 'config' | 'database' | 'secrets' | 'clock'>

/** Long enough to click the link. */
const linkMs = 5 * 60 * 1000
const purpose = 'deliveries export'
const pageSize = 1_000
const claimsSchema = deliveryFilterSchema.extend({ mailingId: z.uuid(), sessionId: z.uuid(), expiresAt: z.number() })

/** A link that works without a bearer token. It is sealed and ends with the admin's session or role. */
export async function createExportLink(
  { config, database, secrets, clock }: ExportDeps,
  { sessionId, actor }: Pick<Principal, 'sessionId'> & { actor: Actor },
  list: DeliveryFilter & { mailingId: string },
) {
  const mailing = await findMailing(database.db, list.mailingId)
  const note =
    [list.status, list.cause, list.feedback, list.bounceCause, list.link].filter(Boolean).join(', ') || 'everyone'
  const event = { event: 'deliveries_exported', object: mailingObject(mailing), note, now: clock() } as const
  await recordAdminEvent(database.db, actor, event)
  const claims = { ...list, sessionId, expiresAt: clock().getTime() + linkMs }
  return { url: `${config.publicUrl}/exports/${secrets.seal(purpose, JSON.stringify(claims))}` }
}

/** Streams the list as CSV, one page at a time. */
export const exportRoutes = (deps: ExportDeps) =>
  new Hono<AppEnv>().get('/exports/:token', async (c) => {
    const claims = openClaims(deps, c.req.param('token'))
    await requireStaffSession(deps, claims.sessionId, adminExportDeliveriesCall.roles)
    c.header('Content-Type', 'text/csv; charset=utf-8')
    c.header('Content-Disposition', `attachment; filename="deliveries-${claims.mailingId.slice(0, 8)}.csv"`)
    c.header('Cache-Control', 'no-store')
    c.header('X-Robots-Tag', 'noindex')
    return stream(c, async (out) => {
      await out.write(csvHeader)
      let after: string | undefined = '0'
      while (after !== undefined && !out.aborted) {
        if (!(await isStaffSession(deps, claims.sessionId, adminExportDeliveriesCall.roles))) {
          await out.write(stoppedLine)
          return
        }
        const rows = await readDeliveries(deps.database.db, claims, after, pageSize)
        await out.write(rows.map(csvLine).join(''))
        after = rows.length === pageSize ? rows.at(-1)?.id : undefined
      }
    })
  })

/** @throws AppError not_found for a token we didn't seal, link_expired after its time */
function openClaims({ secrets, clock }: ExportDeps, token: string) {
  let claims: z.output<typeof claimsSchema>
  try {
    claims = claimsSchema.parse(JSON.parse(secrets.open(purpose, token)))
  } catch (cause) {
    throw new AppError('not_found', { cause })
  }
  if (claims.expiresAt <= clock().getTime()) throw new AppError('link_expired')
  return claims
}
