import type { Deps } from '#server/deps.ts'
import { type Implementation, implement } from '#server/http/functions.ts'
import {
  adminCheckMailingCall,
  adminCountAudienceCall,
  adminCreateMailingCall,
  adminDeleteMailingCall,
  adminDeleteSegmentCall,
  adminDeliveriesCall,
  adminExportDeliveriesCall,
  adminMailingAlertsCall,
  adminMailingCall,
  adminMailingOrdersCall,
  adminMailingsCall,
  adminPreviewMailingCall,
  adminResendUnknownCall,
  adminSaveMailingCall,
  adminSaveSegmentCall,
  adminSegmentsCall,
  adminSendingSettingsCall,
  adminSendMailingCall,
  adminSteerMailingCall,
  adminTestMailingCall,
  adminUpdateScheduledMailingCall,
} from '#shared/contracts/admin-newsletter.ts'
import { requireStepUp } from '../../auth/security/step-up.ts'
import { findMailing } from '../run/mailing-row.ts'
import { resendUnknown } from '../run/resend-unknown.ts'
import { readSendingSettings, saveSendingSettings } from '../sending-settings.ts'
import { countAudience } from './count-audience.ts'
import { createMailing, deleteMailing, saveMailing } from './edit-mailing.ts'
import { createEstimateMailing } from './estimate-mailing.ts'
import { linkToExport } from './export-deliveries.ts'
import { findProblems } from './find-problems.ts'
import { listDeliveries } from './list-deliveries.ts'
import { listMailingAlerts, listMailings } from './list-mailings.ts'
import { previewMailing, testMailing } from './preview-mailing.ts'
import { contentOf, readMailing } from './read-mailing.ts'
import { readOrders } from './read-orders.ts'
import { deleteSegment, listSegments, saveSegment } from './segments.ts'
import { sendMailing, steerMailing, updateScheduledMailing } from './steer-mailing.ts'

export function newsletterCalls(deps: Deps): Implementation[] {
  const { db } = deps.database
  const estimateMailing = createEstimateMailing(deps)
  return [
    implement(adminMailingsCall, (query) => listMailings(db, query)),
    implement(adminMailingCall, ({ id }) => readMailing(db, estimateMailing, id)),
    implement(adminCreateMailingCall, (wanted, who) => createMailing(deps, wanted, who)),
    implement(adminSaveMailingCall, (change) => saveMailing(deps, change)),
    implement(adminDeleteMailingCall, ({ id }) => deleteMailing(deps, id)),
    implement(adminCountAudienceCall, ({ id, audience }) => countAudience(deps, id, audience)),
    implement(adminMailingOrdersCall, ({ id }) => readOrders(deps, id)),
    implement(adminPreviewMailingCall, ({ id, as }) => previewMailing(deps, id, as)),
    implement(adminCheckMailingCall, async ({ id }) => ({
      problems: await findProblems(deps, await contentOf(db, await findMailing(db, id))),
    })),
    implement(adminTestMailingCall, ({ id, ...test }) => testMailing(deps, id, test)),
    implement(adminSendMailingCall, (wanted, who) => sendMailing(deps, who, wanted)),
    implement(adminUpdateScheduledMailingCall, (wanted, who) => updateScheduledMailing(deps, who, wanted)),
    implement(adminMailingAlertsCall, () => listMailingAlerts(db)),
    implement(adminSteerMailingCall, (wanted) => steerMailing(deps, wanted)),
    implement(adminDeliveriesCall, (query) => listDeliveries(db, query)),
    implement(adminExportDeliveriesCall, async (list, who) => {
      await requireStepUp(deps, who)
      return linkToExport(deps, who, list)
    }),
    implement(adminResendUnknownCall, async ({ mailing_id, delivery_ids }, who) => {
      await requireStepUp(deps, who)
      return resendUnknown(deps, mailing_id, delivery_ids, who.email)
    }),
    implement(adminSegmentsCall, () => listSegments(db)),
    implement(adminSaveSegmentCall, (change, who) => saveSegment(deps, change, who)),
    implement(adminDeleteSegmentCall, ({ id }) => deleteSegment(db, id)),
    implement(adminSendingSettingsCall, async ({ save }, who) => {
      if (save) await requireStepUp(deps, who)
      const settings = save ? await saveSendingSettings(deps, save, who) : await readSendingSettings(db)
      const { samplePostalAddress: sample_postal_address } = deps.config
      return { ...settings, sample_postal_address, sender_address: deps.post.from.address }
    }),
  ]
}
