import type { FeatureDeps } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import {
  adminPersonalEmailsCall,
  adminPreviewPersonalEmailCall,
  adminSendPersonalEmailCall,
} from '#shared/contracts/operations/personal-email.ts'
import { listPersonalEmails, previewPersonalEmail, sendPersonalEmail } from './personal-emails.ts'

export const personalEmailCalls = (deps: FeatureDeps): Implementation[] => [
  implement(adminPersonalEmailsCall, ({ userId }) => listPersonalEmails(deps, userId)),
  implement(adminPreviewPersonalEmailCall, (email, who) => previewPersonalEmail(deps, who, email)),
  implement(adminSendPersonalEmailCall, (email, who) => sendPersonalEmail(deps, who, email)),
]
