import { useNavigate } from 'react-router'
import { MailingList } from '#client/features/newsletter/mailing-list.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'
import { AdminPages } from '../admin-pages.tsx'
import { NewsletterPages } from './newsletter-pages.tsx'

export function Component() {
  const navigate = useNavigate()
  return (
    <>
      <PageHeading title="Newsletter" />
      <AdminPages />
      <NewsletterPages />
      <MailingList onCreated={(id) => navigate(`/admin/newsletter/${id}`)} />
    </>
  )
}
