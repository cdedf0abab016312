import type { Deps } from '#server/feature.ts'
import { previewEmail } from '#server/features/publishing/mailings/admin/preview-email.ts'
import { findProblems } from '#server/features/publishing/mailings/checks/locate-problem.ts'
import type { Principal } from '#server/http/principal.ts'
import type { PersonalEmail } from '#shared/contracts/operations/personal-email.ts'
import { problemText } from '#shared/contracts/publishing/mailing-preview.ts'
import type { MailingContent } from '#shared/contracts/publishing/newsletter.ts'
import { personalEmailContent, unsentPersonalEmail } from './personal-email-content.ts'

type PreviewDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'newsletterMailer'>

/** Errors that the member would see, such as an unknown merge field. Makes no requests to other servers. */
export async function findErrors(deps: PreviewDeps, content: MailingContent): Promise<string[]> {
  const problems = await findProblems(deps, content, { withoutNetwork: true })
  return problems.filter(({ severity }) => severity === 'error').map(problemText)
}

/** @throws AppError not_found */
export async function previewPersonalEmail(deps: PreviewDeps, who: Principal, { userId, ...email }: PersonalEmail) {
  const content = personalEmailContent(email, who)
  const [{ subject, html, text }, errors] = await Promise.all([
    previewEmail(deps, { mailing: unsentPersonalEmail, content }, { userId }),
    findErrors(deps, content),
  ])
  return { subject, html, text, errors }
}
