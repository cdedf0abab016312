import { useNavigate } from 'react-router'
import { SeriesList } from '#client/features/operations/series/series-list.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'

export function Component() {
  const navigate = useNavigate()
  return (
    <>
      <PageHeading title="Series" />
      <div className="pt-8">
        <SeriesList onCreated={(id) => navigate(`/admin/newsletter/series/${id}`)} />
      </div>
    </>
  )
}
