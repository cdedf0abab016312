import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Outlet } from 'react-router'
import { queryClient } from '#client/lib/query-client.ts'
import { SkipLink } from '#client/ui/skip-link.tsx'
import { RouteEffects } from './route-effects.tsx'
import { StepUpSlot } from './step-up-slot.tsx'
import { ToastSlot } from './toast-slot.tsx'

export function RootLayout() {
  useEffect(() => {
    window.dispatchEvent(new Event('app:ready'))
  }, [])
  return (
    <QueryClientProvider client={queryClient}>
      <SkipLink />
      <RouteEffects />
      <Outlet />
      <StepUpSlot />
      <ToastSlot />
    </QueryClientProvider>
  )
}
