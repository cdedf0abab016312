import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from 'react-router'
import { MarkdownField } from '#client/features/publishing/documents/markdown-field.tsx'
import { MailingView } from '#client/features/publishing/mailings/mailing-view.tsx'
import { mailingQuery } from '#client/features/publishing/mailings/mailings.api.ts'
import { CallError } from '#client/lib/call-error.ts'
import { BackLink } from '#client/ui/back-link.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'
import { QueryPlaceholder } from '#client/ui/query-placeholder.tsx'
import { usePageTitle } from '#client/ui/use-page-title.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function Component() {
  const { id = '' } = useParams()
  const navigate = useNavigate()
  const mailing = useQuery({ ...mailingQuery(id), enabled: uuid.test(id) })
  usePageTitle(mailing.data?.content.title)
  const isGone = !uuid.test(id) || (mailing.error instanceof CallError && mailing.error.status === 404)
  return (
    <>
      <BackLink to="/admin/newsletter">All mailings</BackLink>
      <PageHeading title={mailing.data ? mailing.data.content.title || 'Product news' : 'Mailing'} className="mb-8" />
      {isGone ? (
        <EmptyState title="We couldn’t find this mailing">It may have been a deleted draft.</EmptyState>
      ) : mailing.data ? (
        <MailingView
          mailing={mailing.data}
          onDeleted={() => navigate('/admin/newsletter', { replace: true })}
          renderMarkdownField={(field) => <MarkdownField {...field} withBlocks={false} />}
        />
      ) : (
        <QueryPlaceholder query={mailing} what="the mailing" lines={10} height="h-11" className="max-w-3xl" />
      )}
    </>
  )
}
