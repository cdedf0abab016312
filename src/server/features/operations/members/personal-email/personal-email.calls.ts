import type { FeatureDeps } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import * as contracts from '#shared/contracts/operations/personal-email.ts'
import { listPersonalEmails, previewPersonalEmail, sendPersonalEmail } from './personal-emails.ts'

export const personalEmailCalls = (deps: FeatureDeps): Implementation[] => [
  implement(contracts.adminPersonalEmailsCall, ({ userId }) => listPersonalEmails(deps, userId)),
  implement(contracts.adminPreviewPersonalEmailCall, (email, who) => previewPersonalEmail(deps, who, email)),
  implement(contracts.adminSendPersonalEmailCall, (email, who) => sendPersonalEmail(deps, who, email)),
]
