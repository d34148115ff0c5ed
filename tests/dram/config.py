"""Writes a configuration of Ramulator 2 for `python -m ramulator export`. Environment: PRESET gddr6, hbm2 or hbm3;
MAPPING RoBaRaCoCh or ChRaBaRoCo; QUEUE the requests that a channel may choose from."""
import os

import ramulator

preset, mapping, queue = os.environ["PRESET"], os.environ["MAPPING"], int(os.environ["QUEUE"])
dram = {
    "gddr6": lambda: ramulator.dram.GDDR6(org_preset="GDDR6_8Gb_x16", timing_preset="GDDR6_14000_1350mV_double"),
    "hbm2": lambda: ramulator.dram.HBM2(org_preset="HBM2_4Gb", timing_preset="HBM2_2000Mbps"),
    "hbm3": lambda: ramulator.dram.HBM3(org_preset="HBM3_16Gb_8hi", timing_preset="HBM3_6400Mbps"),
}[preset]
kind = {"gddr6": ramulator.controller.GenericDDR, "hbm2": ramulator.controller.HBM12,
        "hbm3": ramulator.controller.HBM34}[preset]
controller = kind(dram=dram(), scheduler=ramulator.scheduler.FRFCFS(),
                  refresh_manager=ramulator.refresh_manager.NoRefresh(), row_policy=ramulator.row_policy.Open(),
                  addr_mapper=getattr(ramulator.addr_mapper, mapping)(), read_buffer_size=queue)
memory = ramulator.memory_system.GenericDRAM(clock_ratio=1, controllers=[controller],
                                             channel_mapper=ramulator.channel_mapper.CacheLineInterleave())
ramulator.Simulation(ramulator.frontend.External(clock_ratio=1), memory).run()
