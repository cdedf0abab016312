import { useNavigate } from 'react-router'
import { MailingList } from '#client/features/newsletter/mailing-list.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'
import { AdminTabs } from '../admin-tabs.tsx'
import { NewsletterTabs } from './newsletter-tabs.tsx'

export function Component() {
  const navigate = useNavigate()
  return (
    <>
      <PageHeading title="Newsletter" />
      <AdminTabs />
      <NewsletterTabs />
      <MailingList onCreated={(id) => navigate(`/admin/newsletter/${id}`)} />
    </>
  )
}
