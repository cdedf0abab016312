import { useMutation, useQuery } from '@tanstack/react-query'
import { ArrowUpRight, Send } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import { errorMessage } from '#client/lib/error-message.ts'
import { invoke } from '#client/lib/invoke.ts'
import { toast } from '#client/lib/toast.ts'
import type { DocumentKind } from '#shared/contracts/documents.ts'
import { adminCreateMailingCall, adminIssueMailingCall } from '#shared/contracts/mailings.ts'
import type { MailingStatus } from '#shared/contracts/newsletter.ts'
import type { StoredDocument } from '#shared/contracts/publishing.ts'

const shownAt: Record<DocumentKind, string> = {
  issue: '/portal/weekly-drops',
  'prompt-pack': '/portal/prompt-packs',
  guide: '/portal/guides',
  tool: '/portal/tools',
}

const look =
  'inline-flex min-h-11 items-center gap-1.5 rounded-sm text-sm font-medium text-primary hover:underline hover:underline-offset-4'

/** What one does with something that readers see: look at it as they do, and send it. */
export function NextSteps({ stored: { kind, id, document, publishedVersion } }: { stored: StoredDocument }) {
  if (publishedVersion === null) return null
  const address = 'slug' in document ? `${shownAt[kind]}/${document.slug}` : shownAt[kind]
  return (
    <div className="flex flex-wrap items-center gap-x-5">
      <Link to={address} className={look}>
        <ArrowUpRight aria-hidden className="size-4" strokeWidth={1.75} />
        View in portal
      </Link>
      {kind === 'issue' && <EmailStep issueId={id} />}
    </div>
  )
}

/** A stopped mailing counts for none: the drop may be sent anew. */
const labels: Record<Exclude<MailingStatus, 'stopped'>, string> = {
  draft: 'Continue the email',
  scheduled: 'Email scheduled',
  preparing: 'Email on its way',
  sending: 'Email on its way',
  paused: 'Email paused',
  sent: 'Email sent',
}

function EmailStep({ issueId }: { issueId: string }) {
  const navigate = useNavigate()
  const { data } = useQuery({
    queryKey: ['admin-issue-mailing', issueId],
    queryFn: ({ signal }) => invoke(adminIssueMailingCall, { issueId }, signal),
    staleTime: 0,
  })
  const create = useMutation({
    mutationFn: async () => {
      // Another tab, or a click a moment ago, may have begun it.
      const { mailing } = await invoke(adminIssueMailingCall, { issueId })
      return mailing ?? invoke(adminCreateMailingCall, { kind: 'issue', issueId: issueId })
    },
    onSuccess: (mailing) => navigate(addressOf(mailing.id)),
    onError: (error) => toast.error('The email was not started', { description: errorMessage(error) }),
  })
  if (!data) return null
  const { mailing } = data
  const words = (text: string): ReactNode => (
    <>
      <Send aria-hidden className="size-4" strokeWidth={1.75} />
      {text}
    </>
  )
  return mailing && mailing.status !== 'stopped' ? (
    <Link to={addressOf(mailing.id)} className={look}>
      {words(labels[mailing.status])}
    </Link>
  ) : (
    <button type="button" className={look} disabled={create.isPending} onClick={() => create.mutate()}>
      {words('Send by email')}
    </button>
  )
}

const addressOf = (id: string) => `/admin/newsletter/${id}`
