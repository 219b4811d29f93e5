import Box from '@mui/material/Box'

/** Cross section of an H beam, the article most often traded here. */
export function Logo({ size = 30, word = true }: { size?: number; word?: boolean }) {
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1.25, color: 'inherit' }}>
      <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="7" fill="#a3402c" />
        <path
          fill="#fff"
          d="M7 7h18v4.2h-5.2a1.6 1.6 0 0 0-1.6 1.6v6.4a1.6 1.6 0 0 0 1.6 1.6H25V25H7v-4.2h5.2a1.6 1.6 0 0 0 1.6-1.6v-6.4a1.6 1.6 0 0 0-1.6-1.6H7z"
        />
      </svg>
      {word && (
        <Box component="span" translate="no" sx={{ fontWeight: 650, fontSize: size * 0.66, letterSpacing: '-0.015em' }}>
          {'Stalhof'}
        </Box>
      )}
    </Box>
  )
}
