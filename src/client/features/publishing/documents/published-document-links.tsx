import { useMutation, useQuery } from '@tanstack/react-query'
import { ArrowUpRight, Send } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import { alwaysStaleQuery, invoke } from '#client/lib/calls.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { toast } from '#client/lib/toast.ts'
import type { DocumentKind } from '#shared/contracts/publishing/documents.ts'
import { adminCreateMailingCall, adminIssueMailingCall } from '#shared/contracts/publishing/mailings.ts'
import type { MailingStatus } from '#shared/contracts/publishing/newsletter.ts'
import type { StoredDocument } from '#shared/contracts/publishing/publishing.ts'

const portalPaths: Record<DocumentKind, string> = {
  issue: '/portal/weekly-drops',
  'prompt-pack': '/portal/prompt-packs',
  guide: '/portal/guides',
  tool: '/portal/tools',
}

const linkStyles =
  'inline-flex min-h-11 items-center gap-1.5 rounded-sm text-sm font-medium text-primary hover:underline hover:underline-offset-4'

/** Links for a published document: view it in the portal, and send it by email. */
export function NextSteps({ stored: { kind, id, document, publishedVersion } }: { stored: StoredDocument }) {
  if (publishedVersion === null) return null
  const address = 'slug' in document ? `${portalPaths[kind]}/${document.slug}` : portalPaths[kind]
  return (
    <div className="flex flex-wrap items-center gap-x-5">
      <Link to={address} className={linkStyles}>
        <ArrowUpRight aria-hidden className="size-4" strokeWidth={1.75} />
        View in portal
      </Link>
      {'slug' in document && (
        <a href={`/drops/${document.slug}`} className={linkStyles}>
          <ArrowUpRight aria-hidden className="size-4" strokeWidth={1.75} />
          View public page
        </a>
      )}
      {kind === 'issue' && <EmailStep issueId={id} />}
    </div>
  )
}

/** There is no label for a stopped mailing: the drop can be sent again. */
const labels: Record<Exclude<MailingStatus, 'stopped'>, string> = {
  draft: 'Continue email draft',
  scheduled: 'Email scheduled',
  preparing: 'Sending email',
  sending: 'Sending email',
  paused: 'Email paused',
  sent: 'Email sent',
}

function EmailStep({ issueId }: { issueId: string }) {
  const navigate = useNavigate()
  const { data } = useQuery(alwaysStaleQuery(['admin-issue-mailing', issueId], adminIssueMailingCall, { issueId }))
  const create = useMutation({
    mutationFn: async () => {
      // Another tab may have created it.
      const { mailing } = await invoke(adminIssueMailingCall, { issueId })
      return mailing ?? invoke(adminCreateMailingCall, { kind: 'issue', issueId: issueId })
    },
    onSuccess: (mailing) => navigate(addressOf(mailing.id)),
    onError: (error) => toast.error('The email wasn’t created', { description: errorMessage(error) }),
  })
  if (!data) return null
  const { mailing } = data
  const content = (text: string): ReactNode => (
    <>
      <Send aria-hidden className="size-4" strokeWidth={1.75} />
      {text}
    </>
  )
  return mailing && mailing.status !== 'stopped' ? (
    <Link to={addressOf(mailing.id)} className={linkStyles}>
      {content(labels[mailing.status])}
    </Link>
  ) : (
    <button type="button" className={linkStyles} disabled={create.isPending} onClick={() => create.mutate()}>
      {content('Send by email')}
    </button>
  )
}

const addressOf = (id: string) => `/admin/newsletter/${id}`
