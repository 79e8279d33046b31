package vt

import (
	"math"
	"strconv"
	"strings"
)

// The colour spaces of XParseColor that do not depend on a screen: CIEXYZ, CIEuvY, CIExyY, CIELab, CIELuv and
// TekHVC. What they come to in red, green and blue depends on the monitor all the same; as for X11 it is the one
// that stands for those that nobody has measured (see intensity), and what that cannot show loses chroma until it can.

// triple is a colour in any space.
type triple [3]float64

// The monitor: what its red, green and blue make of X, Y and Z, and the other way round.
var (
	fromXYZ = [3]triple{
		{3.483404812535390, -1.521763749272852, -0.559231333540498},
		{-1.071527513061936, 1.965937952043724, 0.036736913395535},
		{0.063511797904978, -0.200205010004965, 0.810709420316482},
	}
	toXYZ = [3]triple{
		{0.381061491087148, 0.320257123653521, 0.248345785259331},
		{0.207297451151409, 0.680546387763732, 0.112156161084859},
		{0.021339443500880, 0.142971930202465, 1.241728926296655},
	}
	white = times(&toXYZ, triple{1, 1, 1})
)

// gamutSlack is how much more than the monitor shows is still taken as it is.
const gamutSlack = 0.001

func times(m *[3]triple, c triple) (out triple) {
	for i, row := range m {
		out[i] = row[0]*c[0] + row[1]*c[1] + row[2]*c[2]
	}
	return out
}

// colorSpaces are what X11 calls them, in lower case, how they come to X, Y and Z, and whether the values are some.
var colorSpaces = map[string]func(triple) (xyz triple, ok bool){
	"ciexyz": func(c triple) (triple, bool) { return c, within(c[1], 1) },
	"cieuvy": func(c triple) (triple, bool) { return xyzOf(c), within(c[2], 1) },
	"ciexyy": func(c triple) (triple, bool) {
		x, y := c[0], max(c[1], 0.00001)
		return triple{x * c[2] / y, c[2], (1 - x - y) * c[2] / y}, within(x, 1) && within(c[1], 1) && within(c[2], 1)
	},
	"cielab": func(c triple) (triple, bool) { return fromLab(c), within(c[0], 100) },
	"cieluv": func(c triple) (triple, bool) {
		uv := whiteUV
		if c[0] > 0 { // X11 takes u* and v* for a hundredth of what others do
			uv[0] += c[1] / (0.13 * c[0])
			uv[1] += c[2] / (0.13 * c[0])
		}
		return xyzOf(triple{uv[0], uv[1], luminance(c[0])}), within(c[0], 100)
	},
	"tekhvc": func(c triple) (triple, bool) {
		return fromHVC(c), within(c[1], 100) && c[2] >= 0
	},
}

func within(v, limit float64) bool { return v >= 0 && v <= limit }

// spaceColor reads what stands behind the name of such a space: three numbers, with slashes in between.
func spaceColor(space, s string) (rgb uint32, ok bool) {
	convert := colorSpaces[strings.ToLower(space)]
	parts := strings.Split(s, "/")
	if convert == nil || len(parts) != 3 {
		return 0, false
	}
	var c triple
	for i, p := range parts {
		v, err := strconv.ParseFloat(p, 64)
		if err != nil || !(math.Abs(v) <= 1e6) {
			return 0, false
		}
		c[i] = v
	}
	xyz, ok := convert(c)
	if !ok {
		return 0, false
	}
	bright, least := times(&fromXYZ, xyz), 0.0
	if min(bright[0], bright[1], bright[2]) < -gamutSlack || max(bright[0], bright[1], bright[2]) > 1+gamutSlack {
		bright = times(&fromXYZ, fromHVC(clipChroma(toHVC(xyz))))
		least = 1e-9 // its dark part is about 0; for X11 it is now the one and now the other of the two darkest values
	}
	for i, b := range bright {
		rgb = rgb<<8 | intensities[i].value(min(max(b, least), 1))
	}
	return rgb, true
}

// luminance is the Y of a lightness from 0 to 100, and lightness the other way round.
func luminance(l float64) float64 {
	if l < 7.99953624 {
		return l / 903.29
	}
	return math.Pow((l+16)/116, 3)
}

func lightness(y float64) float64 {
	if y < 0.008856 {
		return y * 903.29
	}
	return 116*math.Cbrt(y) - 16
}

// whiteUV is the white of the monitor.
var whiteUV = uvOf(white)

// uvOf and xyzOf go from X, Y and Z to u', v' and Y, and back.
func uvOf(c triple) triple {
	div := c[0] + 15*c[1] + 3*c[2]
	if div == 0 {
		div, c[0], c[1] = white[0]+15*white[1]+3*white[2], white[0], white[1]
	}
	return triple{4 * c[0] / div, 9 * c[1] / div, c[1]}
}

func xyzOf(c triple) triple {
	u, v := c[0], c[1]
	div := 6*u - 16*v + 12
	if div == 0 {
		u, v = whiteUV[0], whiteUV[1]
		div = 6*u - 16*v + 12
	}
	x, y := 9*u/div, 4*v/div
	if y == 0 {
		return triple{x, c[2], 1 - x}
	}
	return triple{x * c[2] / y, c[2], (1 - x - y) * c[2] / y}
}

// fromLab has a* and b* as X11 has them, a hundredth of what others do, and takes dark colours for a hundred times
// as bright as they are, as X11 does.
func fromLab(c triple) triple {
	l := (c[0] + 16) / 116
	if l*l*l < 0.008856 {
		y := c[0] / 9.03292
		return triple{white[0] * (c[1]/3893.5 + y), y, white[2] * (y - c[2]/1557.4)}
	}
	return triple{white[0] * math.Pow(l+c[1]/5, 3), l * l * l, white[2] * math.Pow(l-c[2]/2, 3)}
}

// TekHVC is hue, value and chroma. The hue is an angle in degrees around the white of u' and v', from the reddest
// of reds on, and the chroma the distance from there, as it grows with the value.
const chromaScale = 7.50725

var reddest = math.Atan((0.4931-whiteUV[1])/(0.7127-whiteUV[0])) * 180 / math.Pi

func fromHVC(c triple) triple {
	if c[1] <= 0 || c[1] >= 100 {
		return xyzOf(triple{whiteUV[0], whiteUV[1], min(max(c[1], 0), 1)})
	}
	sin, cos := math.Sincos((c[0] + reddest) * math.Pi / 180)
	away := c[2] / (c[1] * chromaScale)
	return xyzOf(triple{whiteUV[0] + cos*away, whiteUV[1] + sin*away, luminance(c[1])})
}

func toHVC(xyz triple) triple {
	uv := uvOf(xyz)
	u, v := uv[0]-whiteUV[0], uv[1]-whiteUV[1]
	value := lightness(uv[2])
	return triple{math.Atan2(v, u)*180/math.Pi - reddest, value, value * chromaScale * math.Hypot(u, v)}
}

// clipChroma is the colour of that hue and value with the most chroma that the monitor has.
func clipChroma(c triple) triple {
	// The purest colour of that hue: one of its parts is dark, another as bright as can be.
	purest := times(&fromXYZ, fromHVC(triple{c[0], 40, 120}))
	least := min(purest[0], purest[1], purest[2])
	most := max(purest[0], purest[1], purest[2]) - least
	for i := range purest {
		purest[i] = (purest[i] - least) / most
	}
	top := toHVC(times(&toXYZ, purest))
	if c[1] <= top[1] { // between it and black
		return triple{c[0], c[1], c[1] * top[2] / top[1]}
	}
	// Between it and white: how much white makes the value, by halves.
	low, high := 0.0, 1.0
	var mixed triple
	for range 40 {
		share := (low + high) / 2
		for i, p := range purest {
			mixed[i] = p*(1-share) + share
		}
		if mixed = toHVC(times(&toXYZ, mixed)); mixed[1] < c[1] {
			low = share
		} else {
			high = share
		}
	}
	return triple{c[0], mixed[1], mixed[2]}
}
