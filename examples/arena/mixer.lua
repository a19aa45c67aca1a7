-- Mixer of the vehicles of flight-arena, computed: proxops arena mixer --facility flight-arena
-- motor, roll, pitch, yaw, throttle, forward, right, reversible, order in tests
Motors_6DoF:add_motor(0,  0.000000,  0.500000,  0.500000,  1.000000,  0.000000,  4.289014, false, 1)
Motors_6DoF:add_motor(1,  0.500000,  0.250000, -0.500000,  1.000000, -3.714395, -2.144507, false, 2)
Motors_6DoF:add_motor(2,  0.500000, -0.250000,  0.500000,  1.000000,  3.714395, -2.144507, false, 3)
Motors_6DoF:add_motor(3,  0.000000, -0.500000, -0.500000,  1.000000,  0.000000,  4.289014, false, 4)
Motors_6DoF:add_motor(4, -0.500000, -0.250000,  0.500000,  1.000000, -3.714395, -2.144507, false, 5)
Motors_6DoF:add_motor(5, -0.500000,  0.250000, -0.500000,  1.000000,  3.714395, -2.144507, false, 6)
assert(Motors_6DoF:init(6), 'the mixer was not taken: FRAME_CLASS is 16?')
motors:set_frame_string('tilted hexarotor')
