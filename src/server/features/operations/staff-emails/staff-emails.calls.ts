import type { Deps } from '#server/deps.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { adminStaffEmailsCall } from '#shared/contracts/operations/staff-emails.ts'
import { chooseStaffEmail, readStaffEmails } from './choose-staff-email.ts'

export const staffEmailsCalls = (deps: Deps): Implementation[] => [
  implement(adminStaffEmailsCall, async ({ save }, who) => {
    if (save) await chooseStaffEmail(deps, who, save)
    return { items: await readStaffEmails(deps, who) }
  }),
]
