import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { businessProfileQuery } from '#client/features/reader/business-profile/business-profile.api.ts'
import { useCanAssign } from '#client/lib/item-marks.ts'
import { Button } from '#client/ui/button.tsx'
import type { MarksScope } from '#shared/contracts/reader/item-marks.ts'
import type { ItemRef } from '#shared/domain/content-items.ts'

const FillForStores = lazy(() => import('#client/features/reader/task-links/fill-for-stores.tsx'))

type ForStoresProps = { scope: MarksScope; item: ItemRef & { title: string }; promptId: string; body: string }

/** For people on a team who have several stores. */
export function ForStores({ scope, ...prompt }: ForStoresProps) {
  const canAssign = useCanAssign(scope)
  const { data: profile } = useQuery(businessProfileQuery)
  const [isOpen, setOpen] = useState(false)
  const count = profile?.locations.filter(({ mine }) => mine).length ?? 0
  if (!canAssign || count < 2) return null
  return (
    <>
      <Button variant="quiet" size="sm" className="-ml-3 print:hidden" onClick={() => setOpen(true)}>
        Fill in for all {count} stores
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <FillForStores {...prompt} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
