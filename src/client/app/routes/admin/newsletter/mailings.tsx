import { useNavigate, useSearchParams } from 'react-router'
import { MailingList } from '#client/features/publishing/mailings/mailing-list.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'

export function Component() {
  const navigate = useNavigate()
  const [query, setQuery] = useSearchParams()
  const asked = query.get('newsletter') ?? ''
  return (
    <>
      <PageHeading title="Newsletter" />
      <MailingList
        newsletterId={/^[1-9]\d{0,5}$/.test(asked) ? Number(asked) : null}
        onNewsletter={(id) => setQuery(id === null ? {} : { newsletter: String(id) }, { replace: true })}
        onCreated={(id) => navigate(`/admin/newsletter/${id}`)}
      />
    </>
  )
}
