import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import { Maximize, Minus, Plus } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useWidth } from '~/kit/plot/use-width'
import { Outlines } from './outlines'
import { FACTOR, STEP, usePointers, useView, useWheel } from './use-view'
import { fromScreen, type GeoPoint, isShown, type MapPoint, type Size, toGeoPoint, toMapPoint, toScreen, type View } from './view'

/** Map as its layers see it. */
export interface MapLayout {
  view: View
  size: Size
  /** Converts a place to pixels. */
  at: (place: GeoPoint) => MapPoint
  /** Moves the map if the place is not visible. */
  reveal: (place: GeoPoint) => void
}

interface Props {
  label: string
  help: string
  /** Places that are all visible at first, and after pressing 0. */
  places: readonly GeoPoint[]
  /** Called with the pixels of an arrow key; without it the arrow keys move the map. */
  onArrow?: (by: MapPoint, frame: MapLayout) => void
  onPlace?: (place: GeoPoint) => void
  children: (frame: MapLayout) => ReactNode
}

const ARROWS: Readonly<Record<string, MapPoint>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

/** Map that can be moved and zoomed by mouse, touch and keyboard. */
export function MapFrame({ label, help, places, onArrow, onPlace, children }: Props) {
  const { t } = useTranslation('shippingMap')
  const id = useId()
  const [width, measure] = useWidth()
  const size: Size = { width, height: Math.round(Math.min(Math.max(width * 0.62, 380), 620)) }
  const { view, pan, zoom, showWhole } = useView(places, size)
  const { handlers, wasMoved } = usePointers({ pan, zoom })
  const wheel = useWheel(zoom)
  const at = (place: GeoPoint) => toScreen(view, size, toMapPoint(place))
  const frame: MapLayout = {
    view,
    size,
    at,
    reveal: (place) => {
      const { x, y } = at(place)
      if (!isShown({ x, y }, size, 24)) pan({ x: x - size.width / 2, y: y - size.height / 2 })
    },
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const arrow = ARROWS[event.key]
    if (arrow) {
      const pixels = onArrow ? (event.shiftKey ? 1 : 10) : STEP
      const by = { x: arrow.x * pixels, y: arrow.y * pixels }
      if (onArrow) onArrow(by, frame)
      else pan(by)
    } else if (event.key === '+') zoom(FACTOR)
    else if (event.key === '-') zoom(1 / FACTOR)
    else if (event.key === '0') showWhole()
    else return
    event.preventDefault()
  }

  function onClick(event: MouseEvent<Element>) {
    // a click by keyboard, with detail 0, neither ends a movement nor has a position
    if (event.detail === 0) return
    if (wasMoved()) {
      event.preventDefault()
      event.stopPropagation()
    } else if (onPlace) {
      const { left, top } = event.currentTarget.getBoundingClientRect()
      onPlace(toGeoPoint(fromScreen(view, size, { x: event.clientX - left, y: event.clientY - top })))
    }
  }

  return (
    <Box>
      <Box
        ref={measure}
        role="group"
        tabIndex={0}
        aria-label={label}
        aria-describedby={`${id}-help`}
        onKeyDown={onKeyDown}
        sx={{
          position: 'relative',
          borderRadius: 1,
          overflow: 'hidden',
          border: 1,
          borderColor: 'divider',
          '&:focus-visible': { outline: '2px solid', outlineColor: 'primary.main', outlineOffset: -2 },
        }}
      >
        <Box
          ref={wheel}
          {...handlers}
          onClickCapture={onClick}
          onDragStart={(event) => event.preventDefault()}
          sx={{ touchAction: 'none', userSelect: 'none', cursor: onPlace ? 'crosshair' : 'grab' }}
        >
          <svg width="100%" height={size.height} role="presentation" style={{ display: 'block' }}>
            <Outlines view={view} size={size} />
            {children(frame)}
          </svg>
        </Box>
        <Box
          sx={{
            position: 'absolute',
            top: 8,
            insetInlineEnd: 8,
            display: 'grid',
            gap: 0.5,
            '& button': { bgcolor: 'background.paper', border: 1, borderColor: 'divider', borderRadius: 1 },
            '& button:hover': { bgcolor: 'background.paper', borderColor: 'text.secondary' },
          }}
        >
          <IconButton size="small" aria-label={t('zoomIn')} title={t('zoomIn')} onClick={() => zoom(FACTOR)}>
            <Plus size={18} />
          </IconButton>
          <IconButton size="small" aria-label={t('zoomOut')} title={t('zoomOut')} onClick={() => zoom(1 / FACTOR)}>
            <Minus size={18} />
          </IconButton>
          <IconButton size="small" aria-label={t('whole')} title={t('whole')} onClick={showWhole}>
            <Maximize size={18} />
          </IconButton>
        </Box>
      </Box>
      <Box component="p" id={`${id}-help`} sx={{ m: 0, mt: 0.5, typography: 'caption', color: 'text.secondary', textWrap: 'pretty' }}>
        {help}
      </Box>
    </Box>
  )
}
