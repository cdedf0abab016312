import { lazy, Suspense, useSyncExternalStore } from 'react'
import { toastHost } from '#client/lib/toast.ts'

const Toaster = lazy(() => import('./toaster.tsx'))

export function ToastSlot() {
  const wanted = useSyncExternalStore(toastHost.subscribe, toastHost.isWanted, () => false)
  if (!wanted) return null
  return (
    <Suspense fallback={null}>
      <Toaster />
    </Suspense>
  )
}
