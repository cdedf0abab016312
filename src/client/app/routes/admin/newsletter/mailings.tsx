import { useNavigate } from 'react-router'
import { MailingList } from '#client/features/publishing/newsletter/mailing-list.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'

export function Component() {
  const navigate = useNavigate()
  return (
    <>
      <PageHeading title="Newsletter" />
      <MailingList onCreated={(id) => navigate(`/admin/newsletter/${id}`)} />
    </>
  )
}
