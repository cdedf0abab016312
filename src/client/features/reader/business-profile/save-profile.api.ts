import { useMutation, useQueryClient } from '@tanstack/react-query'
import { invoke } from '#client/lib/calls.ts'
import {
  deleteLocationCall,
  saveBusinessProfileCall,
  saveLocationCall,
} from '#shared/contracts/reader/business-profile.ts'
import { replaceLocation, updateProfile } from './business-profile.api.ts'

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
