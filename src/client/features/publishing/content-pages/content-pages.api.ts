import { queryOptions } from '@tanstack/react-query'
import { callQuery, invoke } from '#client/lib/calls.ts'
import { glossaryCall, methodCall, safetyCall, startHereCall } from '#shared/contracts/publishing/content-pages.ts'

export const glossaryQuery = callQuery(['glossary'], glossaryCall, {})

export const safetyQuery = queryOptions({
  queryKey: ['safety'],
  queryFn: async ({ signal }) => (await invoke(safetyCall, {}, signal)).safety,
})

export const startHereQuery = queryOptions({
  queryKey: ['start-here'],
  queryFn: async ({ signal }) => (await invoke(startHereCall, {}, signal)).startHere,
})

export const methodQuery = queryOptions({
  queryKey: ['method'],
  queryFn: async ({ signal }) => (await invoke(methodCall, {}, signal)).method,
})
