import type { Deps } from '#server/deps.ts'
import { type Implementation, implement } from '#server/http/functions.ts'
import { adminDeliveriesCall, adminExportDeliveriesCall, adminResendUnknownCall } from '#shared/contracts/deliveries.ts'
import {
  adminCheckDropEmailCall,
  adminCheckMailingCall,
  adminPreviewDropEmailCall,
  adminPreviewMailingCall,
  adminSectionOrderingsCall,
  adminTestDropEmailCall,
  adminTestMailingCall,
} from '#shared/contracts/mailing-preview.ts'
import {
  adminCountAudienceCall,
  adminCreateMailingCall,
  adminDeleteMailingCall,
  adminIssueMailingCall,
  adminMailingActionCall,
  adminMailingAlertsCall,
  adminMailingCall,
  adminMailingsCall,
  adminSaveMailingCall,
  adminSendMailingCall,
  adminUpdateScheduledMailingCall,
} from '#shared/contracts/mailings.ts'
import { adminDeleteSegmentCall, adminSaveSegmentCall, adminSegmentsCall } from '#shared/contracts/segments.ts'
import { adminSendingSettingsCall } from '#shared/contracts/sending-settings.ts'
import { actorOf } from '../../auth/security/admin-event.ts'
import { requireStepUp } from '../../auth/security/step-up.ts'
import { findMailing } from '../run/mailing-row.ts'
import { resendUnknown } from '../run/resend-unknown.ts'
import { readSendingSettings, saveSendingSettings } from '../sending-settings.ts'
import { countAudience } from './count-audience.ts'
import { checkDropEmail, previewDropEmail, testDropEmail } from './drop-email.ts'
import { createMailing, deleteMailing, saveMailing } from './edit-mailing.ts'
import { createEstimateMailing } from './estimate-mailing.ts'
import { linkToExport } from './export-deliveries.ts'
import { findProblems } from './find-problems.ts'
import { listDeliveries } from './list-deliveries.ts'
import { findMailingOf, listMailingAlerts, listMailings } from './list-mailings.ts'
import { previewMailing, testMailing } from './preview-email.ts'
import { contentOf, readMailing } from './read-mailing.ts'
import { readOrders } from './read-orders.ts'
import { deleteSegment, listSegments, saveSegment } from './segments.ts'
import { sendMailing, steerMailing, updateScheduledMailing } from './steer-mailing.ts'

export function newsletterCalls(deps: Deps): Implementation[] {
  const { db } = deps.database
  const estimateMailing = createEstimateMailing(deps)
  return [
    implement(adminMailingsCall, (query) => listMailings(db, query)),
    implement(adminIssueMailingCall, ({ issueId }) => findMailingOf(db, issueId)),
    implement(adminMailingCall, ({ id }) => readMailing(db, estimateMailing, id)),
    implement(adminCreateMailingCall, (wanted, who, request) => createMailing(deps, wanted, actorOf(who, request))),
    implement(adminSaveMailingCall, (change, who, request) => saveMailing(deps, actorOf(who, request), change)),
    implement(adminDeleteMailingCall, ({ id }, who, request) => deleteMailing(deps, actorOf(who, request), id)),
    implement(adminCountAudienceCall, ({ id, audience }) => countAudience(deps, id, audience)),
    implement(adminSectionOrderingsCall, ({ id }) => readOrders(deps, id)),
    implement(adminPreviewMailingCall, ({ id, as }) => previewMailing(deps, id, as)),
    implement(adminCheckMailingCall, async ({ id }) => ({
      problems: await findProblems(deps, await contentOf(db, await findMailing(db, id))),
    })),
    implement(adminTestMailingCall, ({ id, ...test }, who, request) =>
      testMailing(deps, actorOf(who, request), id, test),
    ),
    implement(adminPreviewDropEmailCall, ({ id, as }) => previewDropEmail(deps, id, as)),
    implement(adminTestDropEmailCall, ({ id, ...test }, who, request) =>
      testDropEmail(deps, actorOf(who, request), id, test),
    ),
    implement(adminCheckDropEmailCall, async ({ id }) => ({ problems: await checkDropEmail(deps, id) })),
    implement(adminSendMailingCall, (wanted, who, request) => sendMailing(deps, { who, request }, wanted)),
    implement(adminUpdateScheduledMailingCall, (wanted, who, request) =>
      updateScheduledMailing(deps, { who, request }, wanted),
    ),
    implement(adminMailingAlertsCall, () => listMailingAlerts(db)),
    implement(adminMailingActionCall, (wanted, who, request) => steerMailing(deps, actorOf(who, request), wanted)),
    implement(adminDeliveriesCall, (query) => listDeliveries(db, query)),
    implement(adminExportDeliveriesCall, async (list, who, request) => {
      await requireStepUp(deps, who)
      return linkToExport(deps, { sessionId: who.sessionId, actor: actorOf(who, request) }, list)
    }),
    implement(adminResendUnknownCall, async ({ mailingId, deliveryIds }, who, request) => {
      await requireStepUp(deps, who)
      return resendUnknown(deps, mailingId, deliveryIds, actorOf(who, request))
    }),
    implement(adminSegmentsCall, () => listSegments(db)),
    implement(adminSaveSegmentCall, (change, who, request) => saveSegment(deps, change, actorOf(who, request))),
    implement(adminDeleteSegmentCall, ({ id }, who, request) => deleteSegment(deps, actorOf(who, request), id)),
    implement(adminSendingSettingsCall, async ({ save }, who, request) => {
      if (save) await requireStepUp(deps, who)
      const settings = save
        ? await saveSendingSettings(deps, save, actorOf(who, request))
        : await readSendingSettings(db)
      const { samplePostalAddress } = deps.config
      return { ...settings, samplePostalAddress, senderAddress: deps.newsletterMailer.from.address }
    }),
  ]
}
