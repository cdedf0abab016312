import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { latestDocumentQuery } from '#client/features/publishing/documents/content.api.ts'
import { ChecksSection } from '#client/features/publishing/mailings/checks-section.tsx'
import type { CheckedSource } from '#client/features/publishing/mailings/email-preview.api.ts'
import { PreviewSection } from '#client/features/publishing/mailings/preview-section.tsx'
import { CallError } from '#client/lib/error-message.ts'
import { ownWords } from '#client/lib/publication.ts'
import { BackLink } from '#client/ui/back-link.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'
import { usePageTitle } from '#client/ui/use-page-title.ts'
import { titleOf } from '#shared/contracts/publishing/documents.ts'

/** Previews, checks and tests the email of a drop before it is published. */
export function Component() {
  const { id = '' } = useParams()
  const stored = useQuery(latestDocumentQuery('issue', id))
  const title = stored.data && (titleOf(stored.data.document) || 'Untitled')
  usePageTitle(title && `Email: ${title}`)
  const isGone = stored.error instanceof CallError && [400, 404].includes(stored.error.status)
  return (
    <>
      <BackLink to={`/admin/content/drops/${id}`}>Back to the editor</BackLink>
      <PageHeading title={title ?? 'Email preview'} className="mb-8" />
      {stored.data ? (
        <>
          <p className="max-w-[62ch] pb-6 text-muted">
            How the saved draft looks as an email, with its title as the subject. Nothing is sent to readers from here.
          </p>
          <Email email={{ of: 'drop', id, version: stored.data.version }} />
        </>
      ) : isGone ? (
        <EmptyState title="Draft not found">It may have been deleted.</EmptyState>
      ) : (
        <QueryPlaceholder query={stored} what={ownWords`the drop`} lines={8} height="h-11" className="max-w-3xl" />
      )}
    </>
  )
}

const Email = ({ email }: { email: CheckedSource }) => (
  <>
    <PreviewSection email={email} hasFreeEdition />
    <ChecksSection email={email} />
  </>
)
