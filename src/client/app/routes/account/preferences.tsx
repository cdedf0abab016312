import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { preferencesQuery } from '#client/features/reader/preferences/preferences.api.ts'
import { PreferencesEditor } from '#client/features/reader/preferences/preferences-editor.tsx'
import { LoadError } from '#client/ui/load-error.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { Skeleton, SkeletonText } from '#client/ui/skeleton.tsx'

const OwnFields = lazy(async () => ({
  default: (await import('#client/features/reader/custom-fields/own-fields.tsx')).OwnFields,
}))

export function Component() {
  const preferences = useQuery(preferencesQuery)
  return (
    <>
      {preferences.isLoadingError ? (
        <LoadError what="your preferences" query={preferences} />
      ) : preferences.isPending ? (
        <LoadingPlaceholder>
          <PreferencesSkeleton />
        </LoadingPlaceholder>
      ) : (
        <>
          <PreferencesEditor saved={preferences.data} />
          <Suspense fallback={null}>
            <OwnFields />
          </Suspense>
        </>
      )}
    </>
  )
}

/** A placeholder of the size of the first two questions. */
function PreferencesSkeleton() {
  return (
    <div>
      <SkeletonText lines={1} height="h-7" className="w-64 max-w-full" />
      <SkeletonText lines={1} className="mt-1 max-w-96" />
      <div className="mt-4 grid gap-3 sm:grid-cols-2">
        {[1, 2, 3, 4, 5, 6].map((tile) => (
          <Skeleton key={tile} className="h-20" />
        ))}
      </div>
      <SkeletonText lines={1} height="h-7" className="mt-12 w-64 max-w-full" />
      <div className="mt-4 grid gap-3">
        {[1, 2, 3].map((tile) => (
          <Skeleton key={tile} className="h-20" />
        ))}
      </div>
    </div>
  )
}
