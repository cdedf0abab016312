import { Hono } from 'hono'
import { z } from 'zod'
import type { Deps } from '#server/feature.ts'
import { recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import {
  downloadClaims,
  openDownload,
  sealDownload,
  streamCsv,
} from '#server/features/identity/auth/sessions/staff-download.ts'
import { csvRow, csvHeader as headerOf } from '#server/http/csv.ts'
import type { AppEnv, Caller } from '#server/http/principal.ts'
import {
  adminExportDeliveriesCall,
  type DeliveryFilter,
  type DeliveryItem,
  deliveryFilterSchema,
} from '#shared/contracts/publishing/deliveries.ts'
import { deliveryCauses } from '#shared/contracts/publishing/newsletter.ts'
import { findMailing } from '../sending/mailing-row.ts'
import { mailingObject } from './edit-mailing.ts'
import { readDeliveries } from './list-deliveries.ts'

export const csvHeader = headerOf(['Email', 'Status', 'Reason', 'Attempts', 'Response', 'Updated at'])

/** Responses of mail servers are untrusted. */
export const csvLine = ({ email, status, cause, attempts, response, changedAt }: DeliveryItem): string =>
  csvRow([email ?? '', status, cause ? deliveryCauses[cause] : '', String(attempts), response ?? '', changedAt ?? ''])

type ExportDeps = Pick<Deps, 'config' | 'database' | 'secrets' | 'clock'>

const purpose = 'deliveries export'
const { roles } = adminExportDeliveriesCall
const link = { purpose, schema: deliveryFilterSchema.extend({ mailingId: z.uuid(), ...downloadClaims }), roles }

/** A link that works without a bearer token. It is sealed and ends with the admin's session or role. */
export async function createExportLink(deps: ExportDeps, who: Caller, list: DeliveryFilter & { mailingId: string }) {
  const { config, database, clock } = deps
  const mailing = await findMailing(database.db, list.mailingId)
  const note =
    [list.status, list.cause, list.feedback, list.bounceCause, list.link].filter(Boolean).join(', ') || 'everyone'
  const event = { event: 'deliveries_exported', object: mailingObject(mailing), note, now: clock() } as const
  await recordAdminEvent(database.db, who, event)
  return { url: `${config.publicUrl}/exports/${sealDownload(deps, purpose, { ...list, sessionId: who.sessionId })}` }
}

export const exportRoutes = (deps: ExportDeps) =>
  new Hono<AppEnv>().get('/exports/:token', async (c) => {
    const { sessionId, ...list } = await openDownload(deps, link, c.req.param('token'))
    return streamCsv(
      c,
      deps,
      { sessionId, roles },
      {
        name: `deliveries-${list.mailingId.slice(0, 8)}.csv`,
        header: csvHeader,
        after: '0',
        readPage: (after, limit) => readDeliveries(deps.database.db, list, after, limit),
        lineOf: csvLine,
      },
    )
  })
