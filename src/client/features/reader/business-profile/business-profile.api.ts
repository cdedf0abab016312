import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { callQuery, invoke } from '#client/lib/calls.ts'
import { sendLater } from '#client/lib/outbox.ts'
import { reportRejectedChange } from '#client/lib/report-rejected-change.ts'
import {
  type BusinessLocation,
  type BusinessProfile,
  businessProfileCall,
  deleteLocationCall,
  rememberAnswersCall,
  saveBusinessProfileCall,
  saveLocationCall,
} from '#shared/contracts/reader/business-profile.ts'
import type { LocationVariable, ProfileVariable, Values } from '#shared/domain/business-profile.ts'
import { variables } from '#shared/domain/variables.ts'

export const businessProfileQuery = callQuery(['business-profile'], businessProfileCall, {})

/** Pages wait for the profile, so that no blank is filled in on screen. After a failure they show the blanks. */
export function useProfilePending(): boolean {
  const { isPending, failureCount } = useQuery(businessProfileQuery)
  return isPending && failureCount === 0
}

const updateProfile = (client: QueryClient, change: (profile: BusinessProfile) => BusinessProfile) =>
  client.setQueryData(businessProfileQuery.queryKey, (profile) => profile && change(profile))

const replaceLocation = (locations: readonly BusinessLocation[], location: BusinessLocation) =>
  locations.some(({ id }) => id === location.id)
    ? locations.map((each) => (each.id === location.id ? location : each))
    : [...locations.filter(({ mine }) => mine), location, ...locations.filter(({ mine }) => !mine)]

/** Remembers answers to blanks of one prompt, also offline. An empty text forgets. */
export function rememberAnswers(client: QueryClient, promptId: string, answers: Values) {
  updateProfile(client, (profile) => {
    const known = Object.entries({ ...profile.answers[promptId], ...answers })
    const kept = known.flatMap(([blank, answer]) => (answer ? [[blank, answer] as const] : []))
    return { ...profile, answers: { ...profile.answers, [promptId]: Object.fromEntries(kept) } }
  })
  void sendLater(rememberAnswersCall, {
    promptId,
    at: new Date().toISOString(),
    answers: answers as Record<string, string>,
  }).catch(reportRejectedChange)
}

/** Saves one value of a prompt to the profile, or to a location, also offline. Shown at once. */
export function saveValue(
  client: QueryClient,
  location: BusinessLocation | null,
  name: ProfileVariable,
  value: string,
) {
  const profile = client.getQueryData(businessProfileQuery.queryKey)
  if (!profile) return
  if (location) {
    const variable = name as LocationVariable
    const changes = { [variable]: { from: location.values[variable] ?? '', to: value } }
    const saved = { ...location, values: { ...location.values, [variable]: value } }
    updateProfile(client, (known) => ({ ...known, locations: replaceLocation(known.locations, saved) }))
    void sendLater(
      saveLocationCall,
      { id: location.id, changes },
      {
        label: `${location.name}: ${variables[name].label}`,
      },
    ).catch(reportRejectedChange)
    return
  }
  const changes = { [name]: { from: profile.values[name] ?? '', to: value } }
  updateProfile(client, (known) => ({ ...known, values: { ...known.values, [name]: value } }))
  void sendLater(saveBusinessProfileCall, { changes }, { label: `Profile: ${variables[name].label}` }).catch(
    reportRejectedChange,
  )
}

export function useSaveProfile() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: Parameters<typeof invoke<typeof saveBusinessProfileCall>>[1]) =>
      invoke(saveBusinessProfileCall, input),
    onSuccess: ({ values }) => updateProfile(client, (profile) => ({ ...profile, values })),
  })
}

export function useSaveLocation() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: Parameters<typeof invoke<typeof saveLocationCall>>[1]) => invoke(saveLocationCall, input),
    onSuccess: ({ location }) =>
      updateProfile(client, (profile) => ({ ...profile, locations: replaceLocation(profile.locations, location) })),
  })
}

export function useDeleteLocation() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => invoke(deleteLocationCall, { id }),
    onSuccess: (_, id) =>
      updateProfile(client, (profile) => ({
        ...profile,
        locations: profile.locations.filter((each) => each.id !== id),
      })),
  })
}
