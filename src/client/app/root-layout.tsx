import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react'
import { Outlet } from 'react-router'
import { queryClient } from '#client/lib/query-client.ts'
import { stepUpHost } from '#client/lib/step-up.ts'
import { toastHost } from '#client/lib/toast.ts'
import { SkipLink } from '#client/ui/skip-link.tsx'
import { RouteEffects } from './route-effects.tsx'

const StepUpDialog = lazy(() => import('#client/features/identity/security/step-up/step-up-dialog.tsx'))
const Toaster = lazy(() => import('./toaster.tsx'))

export function RootLayout() {
  useEffect(() => {
    window.dispatchEvent(new Event('app:ready'))
  }, [])
  return (
    <QueryClientProvider client={queryClient}>
      <SkipLink />
      <RouteEffects />
      <Outlet />
      <LazyStepUpDialog />
      <LazyToaster />
    </QueryClientProvider>
  )
}

/** Shows the dialog that confirms the user's identity, on any page where an action requires it. */
function LazyStepUpDialog() {
  const request = useSyncExternalStore(stepUpHost.subscribe, stepUpHost.request, () => null)
  if (!request) return null
  return (
    <Suspense fallback={null}>
      <StepUpDialog request={request} />
    </Suspense>
  )
}

function LazyToaster() {
  const wanted = useSyncExternalStore(toastHost.subscribe, toastHost.isWanted, () => false)
  if (!wanted) return null
  return (
    <Suspense fallback={null}>
      <Toaster />
    </Suspense>
  )
}
