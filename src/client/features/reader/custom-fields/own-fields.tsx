import { useQuery } from '@tanstack/react-query'
import { toast } from '#client/lib/toast.ts'
import { LoadError } from '#client/ui/loading.tsx'
import { ownFieldsQuery } from './own-fields.api.ts'
import { OwnFieldsForm } from './own-fields-form.tsx'

/** The publisher's questions on the account page. Nothing if there are none. */
export function OwnFields() {
  const asked = useQuery(ownFieldsQuery('account'))
  if (asked.isLoadingError) return <LoadError what="more questions" query={asked} />
  const items = asked.data?.items ?? []
  if (items.length === 0) return null
  return (
    <section aria-labelledby="own-fields" className="mt-12 border-t border-line pt-8">
      <h3 id="own-fields" className="display text-xl">
        More about you
      </h3>
      <div className="mt-5">
        <OwnFieldsForm
          items={items}
          action="Save answers"
          onSaved={() => toast.success('Your answers have been saved.', { id: 'own-fields' })}
        />
      </div>
    </section>
  )
}
