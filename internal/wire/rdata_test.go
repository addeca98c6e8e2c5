package wire

import (
	"fmt"
	"strings"
	"testing"
)

// goodData has at least one example for each type with a format; c00c is a name.
var goodData = map[int][]string{
	1:   {"c0000201"},
	2:   {"c00c", "00", "026e73 c010", "026e73 00"},
	3:   {"c00c"},
	4:   {"c00c"},
	5:   {"c00c"},
	6:   {"c00c 0168 c00c 00000001 00000002 00000003 00000004 00000005"},
	7:   {"c00c"},
	8:   {"c00c"},
	9:   {"c00c"},
	11:  {"c0000201 06", "c0000201 06 0040"},
	12:  {"c00c"},
	13:  {"0361 6263 00"},
	14:  {"c00c c00c"},
	15:  {"000a c00c"},
	16:  {"00", "0161", "05 763d737031 05 2d616c6c32", "0000"},
	17:  {"c00c c00c"},
	18:  {"0001 c00c"},
	19:  {"0131"},
	20:  {"0131", "0131 0132"},
	21:  {"0001 c00c"},
	23:  {"c00c"},
	24:  {"0000 05 00 00000000 00000001 00000002 abcd 00 ffff"},
	25:  {"0200 03 05 ffff"},
	26:  {"0001 c00c c00c"},
	27:  {"0131 0132 0133"},
	28:  {"20010db8 00000000 00000000 00000001"},
	29:  {"00 12 16 13 89172dd0 70be15f0 00988d20"},
	30:  {"c00c 40"},
	33:  {"000a 0014 001e c00c", "000a 0014 001e 00"},
	35:  {"0001 0002 0153 00 0121 c00c"},
	36:  {"0001 c00c"},
	37:  {"0001 0002 03 ff"},
	39:  {"c00c"},
	41:  {"", "000a 0000", "000a 0002 ffff fde9 0000"},
	42:  {"", "0001 18 03 c00002", "0001 20 84 c0000201 0002 00 00"},
	43:  {"abcd 08 02 ffff"},
	44:  {"01 01 ffff"},
	45:  {"0a 00 02", "0a 00 02 ff", "0a 01 02 c0000201 ff", "0a 02 02 20010db8000000000000000000000001", "0a 03 02 0161 00 ff", "0a 09 02 ff"},
	46:  {"0001 05 03 0000003c 00000001 00000002 abcd c00c ffff"},
	47:  {"c00c", "c00c 0001 40", "0161 c00c 0001 40 ff 20" + strings.Repeat("80", 32)},
	48:  {"0100 03 08 ffff"},
	50:  {"01 00 000a 00 01ff", "01 00 000a 02abcd 02ffff 0001 40"},
	51:  {"01 00 000a 00", "01 00 000a 02abcd"},
	52:  {"03 01 01 ffff"},
	53:  {"03 01 01 ffff"},
	55:  {"01 02 0002 aa bbbb", "01 02 0002 aa bbbb 0161 00 00"},
	56:  {"00"},
	57:  {"0000 03 08 ff"},
	58:  {"c00c c00c"},
	59:  {"abcd 08 02 ffff"},
	60:  {"0100 03 08 ffff"},
	62:  {"00000001 0003 0001 40", "00000001 0003"},
	63:  {"00000001 01 01 ffff"},
	64:  {"0001 00", "0000 0161 00", "0001 00 0001 0003 026832"},
	65:  {"0001 00", "0001 00 0001 0003 026832 0003 0002 01bb"},
	66:  {"003b 01 14e9 c00c"},
	99:  {"00"},
	104: {"000a 0011223344556677"},
	105: {"000a c0000201"},
	106: {"000a 0011223344556677"},
	107: {"000a c00c"},
	108: {"001122334455"},
	109: {"0011223344556677"},
	249: {"c00c 00000001 00000002 0003 0000 0002 ffff 0000"},
	250: {"c00c 000000000001 012c 0002 ffff abcd 0000 0000", "00 000000000001 012c 0000 abcd 0012 0006 000000000002"},
	256: {"000a 0001 68747470"},
	257: {"00 05 6973737565", "80 05 6973737565 6361"},
	258: {"00"},
	260: {"0a 00", "0a 80", "0a 81 c0000201", "0a 02 20010db8000000000000000000000001", "0a 03 0161 00", "0a 7f ff"},
	261: {"00"},
	262: {"00"},
}

func TestGoodData(t *testing.T) {
	for typ, format := range formats {
		if format != "" && len(goodData[typ]) == 0 {
			t.Errorf("type %d has a format and no example", typ)
		}
	}
	for typ, examples := range goodData {
		for _, data := range examples {
			if _, err := Check(response(1, 0, 0, record(typ, data))); err != nil {
				t.Errorf("type %d, %s: %v", typ, data, err)
			}
		}
	}
}

// What has a fixed end is bad with an octet less or more, and no shorter beginning of it is good either.
func TestDataLength(t *testing.T) {
	const open = "tbvopgrh*" // fields that end with the data
	for typ, examples := range goodData {
		for _, data := range examples {
			if strings.ContainsAny(formats[typ], open) {
				continue
			}
			whole := strings.ReplaceAll(data, " ", "")
			for n := 0; n < len(whole); n += 2 {
				if _, err := Check(response(1, 0, 0, record(typ, whole[:n]))); err != ErrData {
					t.Errorf("type %d, %s: %v, want %v", typ, whole[:n], err, ErrData)
				}
			}
			if _, err := Check(response(1, 0, 0, record(typ, whole+"00"))); err != ErrData {
				t.Errorf("type %d, %s00: %v, want %v", typ, whole, err, ErrData)
			}
		}
	}
}

func TestBadData(t *testing.T) {
	for typ, examples := range map[int][]string{
		5:   {"", "c00c c00c", "c02d", "4061", "0361"},
		11:  {"c0000201", "c00002"},
		13:  {"0361 6263", "0361 6263 01"},
		16:  {"", "01", "00 01", "0461 6263", "0161 0361 6263 ff"},
		20:  {"", "0131 01"},
		24:  {"0000 05 00 00000000 00000001 00000002 abcd", "0000 05 00 00000000 00000001 00000002 abcd 0161"},
		25:  {"0200 03"},
		30:  {"", "0161"},
		37:  {"0001 0002"},
		41:  {"00", "000a 00", "000a 0001", "000a 0020 61626364", "000a 0000 00"},
		42:  {"0001 18", "0001 18 03 c000", "0001 18 83 c00002 00"},
		43:  {"abcd 08"},
		44:  {"01"},
		45:  {"", "0a", "0a 00", "0a 01 02 c00002", "0a 02 02 c0000201", "0a 03 02", "0a 03 02 c00c", "0a 03 02 0161"},
		46:  {"0001 05 03 0000003c 00000001 00000002 abcd"},
		47:  {"", "0161", "c00c 00", "c00c 0001", "c00c 0000", "c00c 0021" + strings.Repeat("00", 33), "c00c 0002 40", "c00c 0001 40 0001 40", "c00c 0101 40 0001 40"},
		50:  {"01 00 000a 00", "01 00 000a 02ab", "01 00 000a 00 02ff", "01 00 000a 00 01ff 0001"},
		52:  {"03 01"},
		55:  {"", "01 02 0002", "01 02 0002 aa bb", "01 02 0002 aa bbbb c00c", "01 02 0002 aa bbbb 0161", "01 02 ffff aa bbbb"},
		62:  {"00000001 00", "00000001 0003 0001"},
		63:  {"00000001 01"},
		64:  {"", "0001", "0001 c00c", "0001 0161 c00c", "0001 0161", "0001 00 00"},
		249: {"c00c 00000001 00000002 0003 0000 0002 ff", "c00c 00000001 00000002 0003 0000 0000 00", "c00c 00000001 00000002 0003 0000 0000 0001"},
		256: {"000a 00"},
		257: {"00 20 6973737565", "00"},
		260: {"", "0a", "0a 00 00", "0a 01 c00002", "0a 81 c00002", "0a 83 c00c", "0a 01 c0000201 00", "0a 03 c00c", "0a 03 0161 00 00"},
	} {
		for _, data := range examples {
			if _, err := Check(response(1, 0, 0, record(typ, data))); err != ErrData {
				t.Errorf("type %d, %s: %v, want %v", typ, data, err, ErrData)
			}
		}
	}
}

// A name inside data may be as long as any, no longer, and must end before its record does.
func TestDataNames(t *testing.T) {
	const cname = 5
	if _, err := Check(response(1, 0, 0, "c00c 0005 0001 0000003c 0002 0161 00")); err != ErrData {
		t.Errorf("name running over its record: %v, want %v", err, ErrData)
	}
	if _, err := Check(response(1, 0, 0, "c00c 0005 0001 0000003c 0001 c00c")); err != ErrData {
		t.Errorf("pointer running over its record: %v, want %v", err, ErrData)
	}
	whole := fmt.Sprintf("%x", wireName(longName(255)))
	tooLong := fmt.Sprintf("3e%s%x", strings.Repeat("62", 62), wireName(longName(193)))
	if _, err := Check(response(1, 0, 0, record(64, "0001"+tooLong))); err != ErrData {
		t.Errorf("256 octets, not to be compressed: %v, want %v", err, ErrData)
	}
	for what, test := range map[string]struct {
		name string
		want error
	}{
		"255 octets":            {whole, nil},
		"256 octets":            {tooLong, ErrData},
		"255 octets by pointer": {whole[:2*254] + "c01c", nil}, // to the root
		"256 octets by pointer": {tooLong[:2*255] + "c01c", ErrData},
		"263 octets by pointer": {whole[:2*254] + "c014", ErrData},
	} {
		if _, err := Check(response(1, 0, 0, record(cname, test.name))); err != test.want {
			t.Errorf("%s: %v, want %v", what, err, test.want)
		}
	}
}

func TestUnknownTypesAreOpaque(t *testing.T) {
	for _, typ := range []int{10, 22, 49, 61, 128, 255, 263, 32768, 65432, 65535} {
		for _, data := range []string{"", "ff", "c00c", "40c0ff"} {
			if _, err := Check(response(1, 0, 0, record(typ, data))); err != nil {
				t.Errorf("type %d, %s: %v", typ, data, err)
			}
		}
	}
}

// An address of another class than IN has another form.
func TestAddressClass(t *testing.T) {
	if _, err := Check(response(1, 0, 0, "c00c 0001 0003 0000003c 0005 0161 00 0001")); err != nil {
		t.Error(err)
	}
	if _, err := Check(response(1, 0, 0, "c00c 0001 0001 0000003c 0003 c00c00")); err != ErrData {
		t.Errorf("three octets of class IN: %v, want %v", err, ErrData)
	}
}
