import { Hono } from 'hono'
import { stream } from 'hono/streaming'
import { z } from 'zod'
import type { Deps } from '#server/deps.ts'
import type { AppEnv } from '#server/http/app-env.ts'
import { type DeliveryFilter, deliveryFilterSchema } from '#shared/contracts/admin-newsletter.ts'
import { AppError } from '#shared/errors.ts'
import { csvHeader, csvLine } from './deliveries-csv.ts'
import { readDeliveries } from './list-deliveries.ts'

type ExportDeps = Pick<Deps, 'config' | 'database' | 'secrets' | 'clock'>

/** Long enough to click. */
const linkMs = 5 * 60 * 1000
const purpose = 'deliveries export'
const pageSize = 1_000
const claimsSchema = deliveryFilterSchema.extend({ mailing_id: z.uuid(), expiresAt: z.number() })

/** A link that a browser may follow without a bearer: sealed, so that only the admin who asked can have it. */
export function linkToExport({ config, secrets, clock }: ExportDeps, list: DeliveryFilter & { mailing_id: string }) {
  const claims = { ...list, expiresAt: clock().getTime() + linkMs }
  return { url: `${config.publicUrl}/exports/${secrets.seal(purpose, JSON.stringify(claims))}` }
}

/** The list as CSV, page by page: memory holds one page however long the list is. */
export const exportRoutes = (deps: ExportDeps) =>
  new Hono<AppEnv>().get('/exports/:token', (c) => {
    const claims = openClaims(deps, c.req.param('token'))
    c.header('Content-Type', 'text/csv; charset=utf-8')
    c.header('Content-Disposition', `attachment; filename="deliveries-${claims.mailing_id.slice(0, 8)}.csv"`)
    c.header('Cache-Control', 'no-store')
    c.header('X-Robots-Tag', 'noindex')
    return stream(c, async (out) => {
      await out.write(csvHeader)
      let after: string | undefined = '0'
      while (after !== undefined && !out.aborted) {
        const rows = await readDeliveries(deps.database.db, claims, after, pageSize)
        await out.write(rows.map(csvLine).join(''))
        after = rows.length === pageSize ? rows.at(-1)?.id : undefined
      }
    })
  })

/** @throws AppError not_found for what we did not seal, link_expired for what we did, too long ago */
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
